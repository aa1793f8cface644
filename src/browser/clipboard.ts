/**
 * Copies a text that is not available yet. Safari allows copying only during a click, so the clipboard gets the
 * promise.
 * @returns false when the browser does not allow copying (for example without https), or there is no text
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
