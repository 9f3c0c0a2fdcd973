/** What no comparison of this kind establishes, whatever its numbers are. */
export const limitations: readonly string[] = [
  "Token and tool counters are the events that the CLI printed. They are not a bill, and they leave out child sessions and whatever ran inside the CLI without an event.",
  "Latency is that of verified attempts only, so it says nothing about the attempts that failed; and it includes every wait of the CLI itself, such as the 15 s after which ax-code answers a pending prompt in full access.",
  "An equal cohort id shows that the manifest was the same. It does not show that provider, model weights, configuration outside the manifest or caches were.",
  "A small cohort shows what happened on these tasks. It establishes no general superiority, and by itself it justifies no change of a default.",
];
