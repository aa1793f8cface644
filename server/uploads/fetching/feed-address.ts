/**
 * Names of query parameters that change for each reader, day or version of a feed, in lower case and without
 * punctuation: those of podcast hosts, of presigned URLs of clouds, and of analytics. All other parameters are part of
 * the recording's name: `?id=12`.
 */
const tokens = new Set(
  `
  token tokenhash tokentime accesstoken authtoken auth authorization jwt bearer session sessionid key apikey sig sign
  signature signed hmac hash nonce policy keypairid verify credential awsaccesskeyid googleaccessid hdnea hdnts hdntl
  gclid fbclid ref referrer expires expire expiry expiration exp validuntil ts timestamp time updated modified
  lastmodified cb cachebuster cachebust nocache rand random
  `
    .trim()
    .split(/\s+/),
);
const tokenBeginnings = /^(?:x-?amz|x-?goog|utm)[-_]/i;
/** Azure's parameters beside `sig`: each is too short to be a token anywhere else. */
const azure = new Set(["sv", "se", "st", "sp", "sr", "ss", "srt", "spr", "sip", "skoid", "sktid", "skt", "ske", "sks", "skv"]);
/** A timestamp under a meaningless name, such as `v=1700000000`: seconds or milliseconds since 1970. */
const isMoment = (name: string, value: string) => /^[a-z_]$/i.test(name) && /^1\d{9}(?:\d{3})?$/.test(value);
/** A host name within a path, but not a file: `index.php/`, `talk.wav/`. */
const isHost = (piece: string) =>
  /^(?:[a-z\d-]+\.)+[a-z]{2,}$/i.test(piece) &&
  !/\.(?:aac|flac|mov|mpga|oga|ogg|opus|wav|webm|aspx?|cgi|html?|jsp|php)$/i.test(piece);
/** A value such as `key=talks/12.mp3` is not a token. */
const isFile = (value: string) => /\.[a-z][a-z\d]{1,4}$/i.test(value);

/**
 * The part that all URLs of one recording share. It drops tokens (above), the scheme, and the counting services in
 * front (`counter.example/redirect.mp3/host.example/talk.mp3`).
 * @param url absolute, of http or https
 */
export function recordingName(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  const pieces = (host + pathname).split("/");
  const at = pieces.findLastIndex((piece, place) => place < pieces.length - 1 && isHost(piece));
  const isSigned = searchParams.has("sig");
  const named = [...searchParams].filter(([name, value]) => {
    const isToken = tokens.has(name.toLowerCase().replace(/[-_]/g, "")) || tokenBeginnings.test(name) || isMoment(name, value);
    return (!isToken || isFile(value)) && !(isSigned && azure.has(name));
  });
  const query = new URLSearchParams(named);
  query.sort();
  return `${pieces.slice(Math.max(at, 0)).join("/")}?${query}`;
}
