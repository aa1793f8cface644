/**
 * Copies a text that is still to come. Safari lets nothing be copied after a click, only in it: the clipboard is
 * given the promise.
 * @returns false when the browser lets nothing be copied, as without https, or when there is no text
 */
export async function copyComing(text: Promise<string>): Promise<boolean> {
  try {
    const item = new ClipboardItem({ "text/plain": text.then((value) => new Blob([value], { type: "text/plain" })) });
    await navigator.clipboard.write([item]);
    return true;
  } catch {
    return false;
  }
}
