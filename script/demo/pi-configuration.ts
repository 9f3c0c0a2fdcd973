import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes pi's configuration: one provider, `scripted`, behind the given address, and no retries, so that a provider's
 * error shows at once.
 * @param folder an existing folder, to become pi's `PI_CODING_AGENT_DIR`.
 * @returns the environment in which pi uses it, from the one given.
 */
export async function configurePi(
  folder: string,
  url: string,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const models = {
    providers: {
      scripted: { baseUrl: url, api: "openai-completions", apiKey: "none-needed", models: [{ id: "demo-model" }] },
    },
  };
  const settings = { retry: { enabled: false, provider: { maxRetries: 0 } } };
  await writeFile(join(folder, "models.json"), JSON.stringify(models));
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings));
  // pi sends its requests through an inherited proxy, which could not reach this machine's loopback interface.
  const foreign = /^(PI_.*|(https?|all|no)_proxy)$/i;
  const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), PI_CODING_AGENT_DIR: folder };
}
