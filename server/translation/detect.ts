/** Characters used; more do not improve the detection. */
const enough = 1_000;

/**
 * The most likely language of a text, among some. A single word may belong to several languages; the user sees the
 * result.
 * @param among base codes ("es")
 * @returns undefined for a text without letters, or in none of these languages
 */
export async function detectLanguage(text: string, among: ReadonlySet<string>): Promise<string | undefined> {
  // Loaded on demand: it takes 90 MB and some time, and is only needed where no engine detects languages itself. Its
  // larger tables, of up to 440 MB, recognized no more of 26 short phrases.
  const { eld } = await import("eld/extrasmall");
  const scores = Object.entries(eld.detect(text.slice(0, enough)).getScores());
  const [best] = scores.filter(([language]) => among.has(language)).sort(([, one], [, other]) => other - one);
  return best?.[0];
}
