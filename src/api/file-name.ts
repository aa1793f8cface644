/** The file name from the server (RFC 6266: the encoded form first). */
export function fileNameOf(disposition: string | null, fallback: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  return encoded === undefined ? fallback : decodeURIComponent(encoded);
}
