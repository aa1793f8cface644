import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Transcription, Usage, Vault } from "#contract/index.ts";
import { createKeys } from "#src/features/vault/encryption.ts";
import { openSql } from "#tests/server/database.ts";
import { Dictation } from "#tests/server/dictation/dictation.ts";
import {
  base,
  eventually,
  type Person,
  read,
  settled,
  signInAgain,
  signUp,
  startTestServer,
  type TestClock,
  testClock,
  upload,
} from "#tests/server/harness.ts";
import { segment, spokenWav } from "#tests/server/jobs/scripted.ts";
import { openMedia, sending } from "#tests/server/media.ts";
import { history, save } from "#tests/server/transcription/saved.ts";
import { here, say, talk } from "#tests/server/translator/talking.ts";
import { append, begin, idOf, newFields } from "#tests/server/uploads/tus.ts";
import { putIn, vaults } from "#tests/server/vault/vaults.ts";
import { subscribe } from "./subscribed.ts";

// Work that counts toward usage, repeated under the same ids after all of it was erased.

interface Page {
  server: Awaited<ReturnType<typeof startTestServer>>;
  clock: TestClock;
  /** The address of a recording of three seconds. */
  url: string;
  person: Person;
  /** The id that the page uses for everything. */
  id: string;
}

/** Dictates three seconds, to the end or to a lost connection. */
async function dictate({ server, person, id }: Page, { isCut = false, isHeard = false } = {}) {
  const live = await Dictation.start(server.apiUrl, person.token, id, isHeard ? { heardBy: "device" } : {});
  live.speak(0, 15);
  if (isCut) {
    await live.acked(15);
    await live.cut();
    return [];
  }
  if (isHeard) live.say({ type: "heard", index: 0, segment: segment("my own device", 0, 3) });
  live.say({ type: "end", frames: 15 });
  return (await live.next("done")).segments;
}

async function saved(page: Page, options: { isHeard?: boolean } = {}): Promise<string> {
  const segments = await dictate(page, options);
  return (await save(page.person, { clientId: page.id, recordingId: page.id, segments })).id;
}

/** Moves a transcription to the trash and erases it from there. */
async function erase({ server, person }: Page, id: string): Promise<void> {
  for (const path of ["", "/erase"]) await person.call("POST", `${base}/trash${path}`, { ids: [id] });
  await server.sweep();
}

interface Kind {
  /** @returns the transcription's id */
  work(page: Page): Promise<string>;
  erase?(page: Page, id: string): Promise<unknown>;
}

const kinds: Record<string, Kind> = {
  dictation: { work: (page) => saved(page) },
  "dictation that its own device recognizes": { work: (page) => saved(page, { isHeard: true }) },
  "dictation left behind": {
    work: async (page) => {
      await dictate(page, { isCut: true });
      page.clock.advance(31 * 60_000);
      page.person = await signInAgain(page.server, page.person);
      await page.server.sweep();
      const list = async () => (await history(page.person)).data;
      const [made] = await eventually(list, (all) => all[0]?.status === "completed");
      return made?.id ?? "";
    },
  },
  "dictation that moves into the vault": {
    work: (page) => saved(page),
    erase: async ({ server, person }, transcriptionId) => {
      await subscribe(server.dataDir, person, { id: crypto.randomUUID() });
      const keys = await createKeys("correct horse battery", 2);
      await read(await person.call("POST", `${vaults}/vault`, keys.vault), 201, Vault);
      const item = await putIn({ server, person, keys }, "sound", { transcriptionId });
      expect((await person.call("DELETE", `${vaults}/${item.id}/plaintext`)).status).toBe(204);
    },
  },
  turn: {
    work: async (page) => {
      await dictate(page);
      return (await talk(page.server, page.person, page.id).save(page.id, 0, { ...here, segments: [say("hello", "hola", 3)] }))
        .id;
    },
  },
  "turn that is taken back": {
    work: async (page) => {
      await dictate(page);
      return "";
    },
    erase: ({ server, person, id }) => talk(server, person, id).remove(id),
  },
  file: {
    work: async ({ person, id }) => {
      const made = await read(await upload(person, spokenWav(3), { fields: { clientId: id } }), 202, Transcription);
      return (await settled(person, made.id)).id;
    },
  },
  "resumable upload": {
    work: async ({ server, person, id }) => {
      const body = spokenWav(3);
      const path = await begin(person, { size: body.length, fields: { ...newFields(), clientId: id } });
      await append(server, person, path, { offset: 0, body });
      return (await settled(person, idOf(path))).id;
    },
  },
  address: {
    work: async ({ person, id, url }) => {
      const asked = { clientId: id, sourceLanguage: "en", url };
      const made = await read(await person.call("POST", `${base}/transcribe-url`, asked), 202, Transcription);
      return (await settled(person, made.id)).id;
    },
  },
};

test("counts work twice when it is erased and done again under the same id", async () => {
  const media = await openMedia({ "/a.wav": sending(spokenWav(3), { "Content-Type": "audio/wav" }) });
  // In the future: uploads expire by the machine's clock.
  const clock = testClock(Date.parse("2090-03-01T12:00:00Z"));
  const env = { FETCH_ALLOW_HOSTS: `media.test:${media.port}` };
  const resolve = async () => [{ address: "127.0.0.1" }];
  const server = await startTestServer({ now: clock.now, resolve, env });
  const url = `http://media.test:${media.port}/a.wav`;
  const secondsOf = async (person: Person) =>
    Math.round((await read(await person.call("GET", "/api/v1/usage"), 200, Usage)).usedTranslationMinutes * 60);
  const counted: Record<string, number[]> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const page = { server, clock, url, person: await signUp(server), id: crypto.randomUUID() };
    const made = await kind.work(page);
    const first = await secondsOf(page.person);
    await (kind.erase ?? erase)(page, made);
    const erased = await secondsOf(page.person);
    await kind.work(page);
    counted[name] = [first, erased, await secondsOf(page.person)];
    using db = openSql(server.dataDir);
    const chosen = db.prepare("select source from usage where source like ?").all(`%${page.id}%`);
    expect([name, chosen]).toEqual([name, []]);
  }
  expect(counted).toEqual(Object.fromEntries(Object.keys(kinds).map((name) => [name, [3, 3, 6]])));
});

const serverMade = "The server has made it";

/**
 * Every id that a page may send, with the kinds of work done under it (see `kinds`) or the reason why it counts
 * nothing.
 */
const ids: Record<string, readonly (keyof typeof kinds)[] | string> = {
  "contract/dictation.ts recordingId": ["dictation", "dictation that its own device recognizes", "dictation left behind"],
  "contract/transcription.ts recordingId": ["dictation", "dictation that moves into the vault"],
  "contract/transcription.ts clientId": ["dictation", "file", "resumable upload", "address"],
  "server/translator/routes.ts conversationId": ["turn"],
  "server/translator/routes.ts turnId": ["turn", "turn that is taken back"],
  "contract/vault.ts clientId": "Its bytes count as long as its row is there",
  "server/notes/routes.ts NoteId": "Rows are counted",
  "contract/inbox.ts ClientId": "Messages are counted by person or network, before their ids are looked at",
  "contract/transcription.ts turn": "Only in answers",
  "contract/transcription.ts id": serverMade,
  "contract/vault.ts transcriptionId": serverMade,
  "contract/voice-profiles.ts profile": serverMade,
  "contract/insights.ts TemplateKey": serverMade,
  "server/demo/samples.ts id": "A file of this machine",
};

test("lists every id that a page may choose", () => {
  const root = join(import.meta.dirname, "../../..");
  const found = globSync("{contract,server}/**/*.ts", { cwd: root }).flatMap((path) => {
    const source = readFileSync(join(root, path), "utf8");
    return [...source.matchAll(/(\w+)\s*[:=][^:=;]*?\buuid\(/g)].map(([, field]) => `${path} ${field}`);
  });
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(ids).toSorted());
  const done = Object.values(ids).flatMap((uses) => (typeof uses === "string" ? [] : uses));
  expect([...new Set(done)].toSorted()).toEqual(Object.keys(kinds).toSorted());
});
