/** Whisper heeds the last 224 tokens of a prompt and drops what stands before; names and rare words take about a token for 2.5 bytes. */
const promptBytes = 560;

/**
 * Names and terms as a prompt of OpenAI-compatible servers: as many of the first as fit.
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
