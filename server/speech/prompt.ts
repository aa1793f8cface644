/** Whisper uses only the last 224 tokens of a prompt. Names and rare words take about one token per 2.5 bytes. */
const promptBytes = 560;

/**
 * Names and terms as a prompt for OpenAI-compatible servers: as many as fit, from the first on.
 * @returns undefined when there are none
 */
export function promptOf(terms: readonly string[]): string | undefined {
  let prompt = "";
  for (const term of terms) {
    const longer = prompt === "" ? term : `${prompt}, ${term}`;
    if (Buffer.byteLength(longer) > promptBytes) continue;
    prompt = longer;
    if (prompt.length > promptBytes - 4) break;
  }
  return prompt === "" ? undefined : prompt;
}
