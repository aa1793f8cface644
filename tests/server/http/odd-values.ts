import { fuzz } from "#tests/fixtures/fuzz.ts";
import { clientId } from "./bodies.ts";

/** Invalid values: not a number, too large, negative, of another type, with another prototype, invalid Unicode. */
export const oddTexts = [
  "",
  " ",
  "NaN",
  "1e309",
  "-1",
  "0",
  "1.5",
  "9223372036854775808",
  "\0",
  "a\0b",
  "\ud800",
  "__proto__",
  "%",
  "'",
  '"',
  "../x",
  "2024-01-01T00:00:00+23",
  "0000-00-00",
  "x".repeat(3000),
];
export const oddValues: unknown[] = [...oddTexts, null, true, -1, 1e308, 2 ** 63, 0.1, [], [[]], ["a"], {}, { a: 1 }];

/** Values of an attacker. Each field gets some of them here, and all of them in `npm run test:all`. */
export const hostileValues: unknown[] = [
  "\u202eevil\u2066",
  "\ufeff\u200b\u2028\u2029",
  "\udc00\ud800",
  "Z\u0351\u036b\u0343".repeat(60),
  "' or '1'='1' --",
  "'); drop table users; --",
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  "javascript:alert(1)",
  "{{constructor.constructor('return 1')()}}$" + "{1}",
  "\r\nSet-Cookie: parlance_refresh=x",
  "/etc/passwd\0.png",
  "x".repeat(1024 * 1024),
  "😀".repeat(20_000),
  JSON.parse(`${"[".repeat(14)}${"]".repeat(14)}`),
  Array.from({ length: 5_000 }, () => "x"),
  JSON.parse('{"__proto__":{"is_superuser":1},"constructor":{"prototype":{"is_superuser":1}}}'),
  { toString: "x", valueOf: null, length: 1e9 },
  { $gt: "" },
];
export const hostileSample = Math.min(hostileValues.length, 3 * fuzz.factor);

/** Fields that no call knows, to check that naming a column gives nobody anything. */
export const injected = {
  ...{ id: clientId, user_id: clientId, userId: clientId, is_superuser: 1, isSuperuser: true, role: "superuser" },
  ...{ email_verified: 1, plan_type: "premium", planType: "premium", created_at: 0, password_hash: "x", revision: 1e9 },
};

/** Bodies that are no JSON, or JSON that parsers disagree about. */
export const oddBodies = [
  ...["", "{", "{}{}", "\ufeff{}", '{"a":1,"a":2}', "nul", "[1,]", "{'a':1}", "1e400", '"\\ud800"', '{"email":1e400}', "\0"],
  ...["[".repeat(17), `${'{"a":'.repeat(17)}1${"}".repeat(17)}`, `{"a":"${"x".repeat(70_000)}"}`],
].map((text) => new TextEncoder().encode(text));
oddBodies.push(new Uint8Array([0x22, 0xff, 0xfe, 0x22]), new Uint8Array([0x1f, 0x8b, 8, 0, 0]), new Uint8Array(100));

const long = "x".repeat(7_000);
export const oddHeaders: Record<string, string>[] = [
  ...["", "Bearer", "Bearer ", "Bearer a.b.c", "Bearer e30.e30.", "Basic YTpi", `Bearer ${long}`].map((Authorization) => ({
    Authorization,
  })),
  ...["a", "=", ";;;", "parlance_refresh=%", "parlance_refresh=a; parlance_refresh=b", `parlance_refresh=${long}`].map(
    (Cookie) => ({ Cookie }),
  ),
  ...["", "text/plain", "application/json; charset=utf-16", "multipart/form-data", "application/x-www-form-urlencoded", "x"].map(
    (type) => ({ "Content-Type": type }),
  ),
  { "Upload-Length": "-1", "Upload-Offset": "1e9", "Tus-Resumable": "9", "Upload-Metadata": "a b,c" },
  { "Tus-Resumable": "1.0.0", "Upload-Length": "NaN", "Upload-Metadata": `clientId ${"=".repeat(50)}`, "Upload-Offset": "-1" },
  { "If-None-Match": "*", "If-Range": '"', Range: "bytes=0-0,1-1", Accept: long, "Accept-Language": "q=9;;", "User-Agent": long },
  { "X-Forwarded-For": "::::, 1.2.3.4.5", "X-Forwarded-Host": "evil.example", Forwarded: "for=x", "Stripe-Signature": "t=,v1=" },
  { "X-HTTP-Method-Override": "DELETE", "Content-Encoding": "gzip" },
];
