/**
 * Names of query parameters, in lower case and without punctuation, that are made anew for each reader, day or version of a feed: of
 * hosts of podcasts, of the signed addresses of clouds, and of those who count. Whatever else is in an address is part of its name: `?id=12`.
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
/** Of Azure, beside `sig`: each is too short to be a token anywhere else. */
const azure = new Set(["sv", "se", "st", "sp", "sr", "ss", "srt", "spr", "sip", "skoid", "sktid", "skt", "ske", "sks", "skv"]);
/** `v=1700000000`: seconds or milliseconds since 1970, under a name that says nothing. */
const isMoment = (name: string, value: string) => /^[a-z_]$/i.test(name) && /^1\d{9}(?:\d{3})?$/.test(value);
/** A host of its own within a path, and no file: `index.php/`, `talk.wav/`. */
const isHost = (piece: string) =>
  /^(?:[a-z\d-]+\.)+[a-z]{2,}$/i.test(piece) &&
  !/\.(?:aac|flac|mov|mpga|oga|ogg|opus|wav|webm|aspx?|cgi|html?|jsp|php)$/i.test(piece);
/** `key=talks/12.mp3` is no token. */
const isFile = (value: string) => /\.[a-z][a-z\d]{1,4}$/i.test(value);

/**
 * What is the same in all addresses of one recording: without what is only a token (above), whether by http or https, and without the
 * services that count downloads and stand before it (`counter.example/redirect.mp3/host.example/talk.mp3`).
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
