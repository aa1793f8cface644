/** Unicode's limit of marks for one letter (UAX #15, "Stream-Safe Text Format"); no language has more. */
const maxMarks = 30;

/** Marks, and two letters that normalization combines with the one before. */
const tooManyMarks = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${maxMarks}})[\\p{M}\\uff9e\\uff9f]+`, "gu");

/**
 * A text in a normal form of Unicode. Only thirty marks per letter are kept: normalization sorts them, which takes a
 * minute for 400,000.
 */
export function normalForm(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(tooManyMarks, "$1").normalize(form);
}
