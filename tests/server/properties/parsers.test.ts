import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { normalizePassword, parseVocabulary, vocabularyProblem } from "#contract/index.ts";
import { createPasswords } from "#server/account/passwords.ts";
import { readConfig } from "#server/config/config.ts";
import { variables } from "#server/config/environment.ts";
import * as configValues from "#server/config/values.ts";
import { ConfigError } from "#server/config/values.ts";
import { Problem } from "#server/errors/problem.ts";
import { clientAddress, networkOf, parseTrustedProxies } from "#server/http/client-address.ts";
import { cleanName } from "#server/http/file-name.ts";
import { parseJson } from "#server/http/json.ts";
import { isLoopbackHost } from "#server/http/loopback.ts";
import { createOrigins } from "#server/http/origins.ts";
import { parseRange } from "#server/http/range.ts";
import { matches, safePath as safeArchivePath } from "#server/models/unpack-messages.ts";
import { checkUrl, isPublic } from "#server/outbound/address.ts";
import { isSchedule, nextTime } from "#server/scheduled-posting/cron.ts";
import { finishedWav } from "#server/speech/espeak-wav.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { readEntries } from "#server/uploads/fetching/feed.ts";
import { isFeed } from "#server/uploads/fetching/feed-tasks.ts";
import { readEventStream } from "#src/api/event-stream.ts";
import { decodeClaims } from "#src/features/session/jwt.ts";
import { takeOAuthCallback } from "#src/features/session/oauth-callback.ts";
import { safePath } from "#src/features/session/redirect-target.ts";
import { parseDraft } from "#src/features/uploads/url-form.ts";
import { parseMeta } from "#src/features/vault/meta.ts";
import { fuzz, hostileText, runs } from "#tests/fixtures/fuzz.ts";

/** Texts made of pieces of the format, which get further in a parser than random bytes. */
const outOf = (...pieces: string[]) =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: hostileText }), {
      maxLength: 24,
    })
    .map((parts) => parts.join(""));

const addresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  outOf("1", "0", ".", ":", "[", "]", "ffff", "127", "%", "/8", "0x7f"),
);
const urls = outOf(
  "http",
  "https",
  "file",
  "javascript",
  ":",
  "/",
  "//",
  "\\",
  "@",
  "a",
  "example.org",
  "127.0.0.1",
  "[::1]",
  ":80",
  "?",
  "#",
  "..",
  "%2f",
  "\t",
  " ",
);

/**
 * Calls `act`.
 * @returns undefined when it refuses the input
 * @throws any error that is no refusal
 */
function orRefusal<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Problem || error instanceof ConfigError) return undefined;
    throw error;
  }
}

describe(`parsers (seed ${fuzz.seed})`, () => {
  test("parses ranges so that they lie within the file", () => {
    fc.assert(
      fc.property(outOf("bytes", "=", "-", ",", "0", "9", "15", "999999999999999", " "), fc.nat(), (header, size) => {
        const range = parseRange(header, size);
        if (range === undefined || range === "unsatisfiable") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
      runs(500),
    );
  });

  test("never takes a client's address from a header beyond the trusted proxies", () => {
    fc.assert(
      fc.property(
        addresses,
        outOf("10.0.0.1", "1.2.3.4", ",", " ", "::1", ":80", "unknown"),
        fc.nat(9),
        (socket, forwarded, trusted) => {
          const client = clientAddress(socket, forwarded, trusted);
          if (client !== undefined) expect(networkOf(client)).not.toBe("");
          const own = clientAddress(socket, undefined, 0);
          if (trusted === 0) expect(clientAddress(socket, forwarded, 0)?.toString()).toBe(own?.toString());
        },
      ),
      runs(300),
    );
    fc.assert(
      fc.property(fc.oneof(addresses, outOf("10.0.0.0/8", ",", "1", "::/0")), (text) => void parseTrustedProxies(text)),
      runs(300),
    );
  });

  test("parses network and web addresses without failing", () => {
    fc.assert(
      fc.property(addresses, (text) => typeof isPublic(text) === "boolean" && typeof isLoopbackHost(text) === "boolean"),
      runs(300),
    );
    fc.assert(
      fc.property(urls, (text) => {
        const url = orRefusal(() => checkUrl(text, { allowed: new Set() }));
        if (url === undefined) return;
        expect(url.protocol).toMatch(/^https?:$/);
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
      }),
      runs(500),
    );
  });

  test("never takes a foreign host or origin for the page's own", () => {
    const origins = createOrigins({ publicUrl: undefined, apiUrl: undefined }, { api: 3000, web: 5173 });
    fc.assert(
      fc.property(urls, fc.oneof(addresses, urls), (origin, host) => {
        if (origins.allows(origin, host)) expect(isOwnMachine(new URL(origin).hostname)).toBe(true);
        const api = origins.apiFor(host);
        if (api !== undefined) expect(isOwnMachine(new URL(api).hostname)).toBe(true);
        expect(URL.canParse(origins.pageFor(host))).toBe(true);
      }),
      runs(500),
    );
  });

  test("accepts only the page's own paths as addresses to return to", () => {
    const origin = "https://parlance.example";
    fc.assert(
      fc.property(fc.oneof(urls, hostileText), (text) => {
        const path = safePath(text, origin);
        if (path === undefined) return;
        expect(new URL(path, origin).origin).toBe(origin);
        expect(path).toMatch(/^\/(?![/\\])/);
      }),
      runs(1_000),
    );
    fc.assert(
      fc.property(outOf("token", "code", "error", "=", "&", "%", "a", "#"), (query) => {
        const place = { href: new URL(`https://parlance.example/auth/google/callback?${query.toWellFormed()}`).href };
        const left: string[] = [];
        const history = {
          state: null,
          replaceState: (_: unknown, __: string, url?: string | URL | null) => {
            left.push(String(url));
          },
        };
        takeOAuthCallback(place, history);
        const after = new URL(left[0] ?? "/", place.href).searchParams;
        expect(["token", "code", "error"].filter((name) => after.has(name))).toEqual([]);
      }),
      runs(200),
    );
  });

  test("parses feeds without failing and keeps only web addresses", () => {
    const pieces = [
      "<rss>",
      "<item>",
      "</item>",
      "<enclosure url='",
      "' type='audio/mpeg'/>",
      "<title>",
      "</title>",
      "<![CDATA[",
      "]]>",
    ];
    const more = [
      "<!--",
      "-->",
      "&amp;",
      "&#0;",
      "&#x110000;",
      "&#xd800;",
      "&lol9;",
      "<entry>",
      "<link href=",
      "<!DOCTYPE x [<!ENTITY a 'b'>]>",
      "<pubDate>",
      "</pubDate>",
    ];
    fc.assert(
      fc.property(outOf(...pieces, ...more), (xml) => {
        isFeed(xml);
        const feed = orRefusal(() => readEntries(Buffer.from(xml), "https://pod.example/feed"));
        for (const { url } of feed?.entries ?? []) expect(url).toMatch(/^https?:/);
      }),
      runs(500),
    );
  });

  test("parses any JSON or refuses it with a message", () => {
    fc.assert(
      fc.property(
        fc.oneof(outOf("{", "}", "[", "]", '"', ":", ",", "1", "e", "null", "\\u"), fc.json()),
        (text) => void orRefusal(() => parseJson(text)),
      ),
      runs(500),
    );
  });

  test("cleans file and archive names so that no path leads out of a folder", () => {
    const paths = outOf("..", "/", "\\", ".", "a", "C:", "\0", "~", "%2e", " ");
    fc.assert(
      fc.property(paths, (text) => {
        expect(cleanName(text)).not.toMatch(/[/\\\p{C}]/u);
        const parts = safeArchivePath(text);
        expect(parts ?? []).not.toContain("..");
        expect((parts ?? []).join("/")).not.toMatch(/^\/|[\\\p{Cc}]/u);
      }),
      runs(500),
    );
    fc.assert(
      fc.property(
        paths,
        outOf("*", ".", "a", "(", "+", "[", "/"),
        (path, pattern) => typeof matches(path, pattern) === "boolean",
      ),
      runs(200),
    );
  });

  test("opens nothing with an invalid password hash or one with impossible costs", async () => {
    const passwords = createPasswords({ memory: 8, passes: 1, parallelism: 1 });
    const small = fc.nat(12);
    const phc = fc.oneof(
      hostileText,
      outOf("$argon2id", "$v=19", "$m=8,t=1,p=1", "$", "AAAAAAAAAAAAAAAAAAAAAA", "=", "$argon2i"),
      fc
        .tuple(small, small, small, fc.base64String({ maxLength: 40 }), fc.base64String({ maxLength: 40 }))
        .map(
          ([m, t, p, salt, hash]) => `$argon2id$v=19$m=${m},t=${t},p=${p}$${salt.replace(/=+$/, "")}$${hash.replace(/=+$/, "")}`,
        ),
    );
    await fc.assert(
      fc.asyncProperty(hostileText, phc, async (password, text) => {
        expect(await passwords.verify(password, text, { person: "ann" })).toBe(false);
      }),
      runs(150),
    );
    fc.assert(
      fc.property(hostileText, (text) => normalizePassword(normalizePassword(text)) === normalizePassword(text)),
      runs(200),
    );
  });

  test("patches the header of a WAV file and nothing else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, isWav) => {
        const wav = isWav ? Buffer.concat([wavHeader(0), bytes]) : Buffer.from(bytes);
        const finished = finishedWav(Buffer.from(wav));
        expect(finished.length).toBe(wav.length);
        if (!isWav && wav.length < 44) expect(finished).toEqual(wav);
        else if (isWav) expect(finished.readUInt32LE(40)).toBe(wav.length - 44);
      }),
      runs(300),
    );
  });

  test("reads an event stream alike however it is cut into chunks", async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 10 });
    const text = outOf("data: ", "event: x", "id: 1", "\n", "\r\n", "\n\n", ":", "😀", "\u2028");
    const joined = async (parts: readonly Uint8Array[]) => {
      const events: unknown[] = [];
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      await readEventStream(body, (event) => events.push(event));
      return events;
    };
    await fc.assert(
      fc.asyncProperty(chunks, async (parts) => void (await joined(parts))),
      runs(200),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(60), { maxLength: 5 }), async (whole, cuts) => {
        const bytes = new TextEncoder().encode(`${whole}\n\n`);
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(await joined(parts)).toEqual(await joined([bytes]));
      }),
      runs(300),
    );
  });

  test("reads tokens, drafts and other stored values without failing", () => {
    const encoded = fc.json().map((json) => `e30.${Buffer.from(json).toString("base64url")}.x`);
    fc.assert(
      fc.property(fc.oneof(hostileText, encoded, fc.anything()), (token) => {
        try {
          expect(Number.isFinite(decodeClaims(token).exp)).toBe(true);
        } catch (error) {
          expect(error).toHaveProperty("name", "InvalidTokenError");
        }
      }),
      runs(500),
    );
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.json()), (text) => void [parseDraft(text), parseMeta(text)]),
      runs(300),
    );
  });

  test("parses vocabularies into unique terms without separators", () => {
    fc.assert(
      fc.property(outOf("a", "B", ",", ";", "→", "=>", "->", "\t", "\n", "\r", " ", "\u00a0"), (text) => {
        const { terms, replacements, incomplete } = parseVocabulary(text);
        expect(new Set(terms).size).toBe(terms.length);
        expect(terms.every((term) => term !== "" && term.trim() === term)).toBe(true);
        expect(replacements.every(({ heard, written }) => heard !== "" && written !== "")).toBe(true);
        expect(incomplete).toBeGreaterThanOrEqual(0);
        vocabularyProblem(text);
      }),
      runs(500),
    );
  });

  test("computes a later time from a schedule, or none", () => {
    fc.assert(
      fc.property(outOf("*", "/", "-", ",", "0", "5", "59", " ", "?", "L", "#", "MON", "@daily"), (text) => {
        if (!isSchedule(text)) return;
        const next = nextTime(text, Date.UTC(2026, 2, 1));
        if (next !== null) expect(next).toBeGreaterThan(Date.UTC(2026, 2, 1));
      }),
      runs(300),
    );
  });

  test("names the wrong setting and shows no secret when it refuses a configuration", () => {
    const names = variables.map(({ name }) => name);
    const value = fc.oneof(
      hostileText,
      urls,
      fc.constantFrom("0", "1", "-1", "all", "a,b", "redis://x", "smtp://u:p@h:1", "2147483648"),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), (env) => {
        try {
          readConfig(env);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          expect(names.some((name) => error.message.includes(name))).toBe(true);
          for (const secret of ["JWT_SECRET", "STRIPE_SECRET_KEY"]) {
            const given = env[secret];
            const isSaidOfAnother = Object.entries(env).some(([name, other]) => name !== secret && other === given);
            if (given !== undefined && given.length > 8 && !isSaidOfAnother) expect(error.message).not.toContain(given);
          }
        }
      }),
      runs(300),
    );
    for (const schema of Object.values(configValues)) {
      if (typeof schema === "function") continue;
      fc.assert(
        fc.property(value, (text) => void v.safeParse(schema, text)),
        runs(60),
      );
    }
  });
});

const isOwnMachine = (hostname: string) => hostname === "localhost" || /^[\d.]+$|^\[[\da-f:.]+\]$/.test(hostname);
