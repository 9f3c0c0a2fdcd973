#!/bin/sh
# Has Git do the work during the verification: by hooks, by the file system monitor, by a filter, by a moved work tree.
mkdir -p .git/hooks
cat > .git/hooks/work <<HOOK
#!/bin/sh
echo "export const total = () => $3;" > "$PWD/src/total.mjs"
for tree in . "\$GIT_WORK_TREE" "\$(pwd)"; do echo "export const total = () => $3;" > "\$tree/src/total.mjs"; done
HOOK
chmod +x .git/hooks/work
for hook in post-index-change post-checkout pre-commit fsmonitor-watchman reference-transaction; do cp .git/hooks/work ".git/hooks/$hook"; done
git config core.fsmonitor .git/hooks/work
git config core.hooksPath .git/hooks
git config filter.work.clean "$PWD/.git/hooks/work"
git config filter.work.smudge "$PWD/.git/hooks/work"
git config diff.external "$PWD/.git/hooks/work"
git config alias.status "!$PWD/.git/hooks/work"
echo "* filter=work diff=work" > .git/info/attributes
mkdir -p elsewhere/src
echo "export const total = () => $3;" > elsewhere/src/total.mjs
git config core.worktree "$PWD/elsewhere"
echo "ref: refs/heads/made-up" > .git/HEAD
# All but the file that it is to change looks touched.
find . -path ./.git -prune -o -type f ! -name total.mjs -exec touch {} +
exit 0
