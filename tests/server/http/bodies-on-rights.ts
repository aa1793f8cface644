import { randomBytes } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ActiveSessionsAnswer, type CreatedSharedLink, Transcription, type VaultItem } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { base, type Person, read, settled, signInAgain, signUp, upload, uploadForm } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { peopleOf, received, sharedWithMe, shareWith } from "#tests/server/people/shared.ts";
import { makeToken } from "#tests/server/personal-tokens/tokens.ts";
import { linksOf, passphrase, share, visit } from "#tests/server/sharing/links.ts";
import { shareItem, linksOf as vaultLinksOf, visitRecording } from "#tests/server/vault/links.ts";
import { putIn, vaults } from "#tests/server/vault/vaults.ts";
import type { Sent } from "./slow-reader.ts";
import { type Harness, peopled } from "./visitors.ts";

/** Bytes; more than the system buffers for a slow reader, and none of it takes memory. */
const size = 32 * 1024 * 1024;
/**
 * The same for a text, also in a ZIP file. All bodies of one reader together stay below the limit of
 * server/http/unread.ts.
 */
const textSize = 10 * 1024 * 1024;

/** Data of a user, the people and programs that have access to it, and what they have opened. */
export interface Scene extends Harness {
  id: string;
  /** The session that opens everything of the user's; `user` ends it from another session. */
  opener: Person;
  openerSession: string;
  program: Person;
  tokenId: string;
  reader: Person;
  shareId: string;
  link: CreatedSharedLink;
  item: VaultItem;
  vaultLinkId: string;
  cookies: Record<"media" | "export" | "link" | "vaultLink", string>;
}

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";

/** @param day when the links end (ISO 8601); null: never */
export async function openScene(server: Harness["server"], day: string | null): Promise<Scene> {
  const harness = await peopled(server);
  const { user, keys } = harness;
  const { id } = await read(await upload(user, new Uint8Array(buzzWav(2))), 202, Transcription);
  await settled(user, id);
  const opener = await signInAgain(server, user);
  const { sessions } = await read(await opener.call("GET", "/users/me/sessions"), 200, ActiveSessionsAnswer);
  const { made, program } = await makeToken(user);
  const reader = await signUp(server);
  const { id: shareId } = await shareWith(user, reader, id, "read");
  const link = await share(user, id, { audio: true, translation: true, download: true, expiresAt: day });
  const visitor = visit(server, link);
  await visitor.open();
  const item = await putIn({ server, person: user, keys }, "a talk", { transcriptionId: id });
  const vaultLink = await shareItem({ person: user, keys }, item, { expiresAt: day });
  const guest = visitRecording(server, vaultLink);
  await guest.open();
  await enlarge({ server, id, item });
  return {
    ...harness,
    ...{ id, opener, program, tokenId: made.id, reader, shareId, link, item, vaultLinkId: vaultLink.id },
    openerSession: sessions.find(({ current }) => current)?.id ?? "",
    cookies: {
      media: cookieOf(await opener.call("POST", `${base}/transcription/${id}/audio-access`)),
      export: cookieOf(await opener.call("POST", "/users/me/export-access")),
      link: visitor.cookie(),
      vaultLink: guest.cookie(),
    },
  };
}

/** Makes every body large: audio and videos are sparse files, and the text is random. */
async function enlarge({ server, id, item }: Pick<Scene, "server" | "id" | "item">): Promise<void> {
  const folder = join(server.dataDir, "audio", id);
  for (const kind of ["picture", "captioned"]) await writeFile(join(folder, kind), "");
  const files = [join(folder, "original"), join(folder, "picture"), join(folder, "captioned")];
  for (const file of [...files, join(server.dataDir, "vault", item.id, "content")]) await truncate(file, size);
  using db = openSql(server.dataDir);
  const text = randomBytes(textSize / 2).toString("hex");
  db.prepare("update transcriptions set text = ?, translated_text = text, segments = '[]' where id = ?").run(text, id);
  for (const kind of ["picture", "captioned"])
    db.prepare(
      "insert into videos (transcription_id, kind, user_id, state, fraction, undrawn, attempts, asked_at, next_at, finished_at)" +
        " select id, ?, user_id, 'ready', 1, 0, 0, 1, 1, 1 from transcriptions where id = ? on conflict do nothing",
    ).run(kind, id);
}

const bearer = ({ token }: Person) => ({ Authorization: `Bearer ${token}` });
const one = ({ id }: Scene) => `${base}/transcription/${id}`;

interface Body {
  route: string;
  send(scene: Scene): Sent;
}

const of = (route: string, send: Body["send"]): Body => ({ route, send });
const transcription = `${base}/transcription/:id`;

/** Every body, stream and request that depends on a right, by holder and kind. */
export const bodies = {
  "owner audio": of(`GET ${transcription}/audio`, (s) => ({ path: `${one(s)}/audio`, headers: bearer(s.opener) })),
  "owner audio by cookie": of(`GET ${transcription}/audio`, (s) => ({
    path: `${one(s)}/audio`,
    headers: { Cookie: s.cookies.media },
  })),
  "owner picture": of(`GET ${transcription}/audio/picture`, (s) => ({
    path: `${one(s)}/audio/picture`,
    headers: bearer(s.opener),
  })),
  "owner captioned": of(`GET ${transcription}/audio/captioned`, (s) => ({
    path: `${one(s)}/audio/captioned`,
    headers: bearer(s.opener),
  })),
  "owner transcript": of(`GET ${transcription}`, (s) => ({ path: one(s), headers: bearer(s.opener) })),
  "owner vault": of(`GET ${vaults}/:id/content`, (s) => ({ path: `${vaults}/${s.item.id}/content`, headers: bearer(s.opener) })),
  "owner account": of("GET /users/me/export", (s) => ({ path: "/users/me/export", headers: { Cookie: s.cookies.export } })),
  "owner events": of(`GET ${base}/events`, (s) => ({ path: `${base}/events`, headers: bearer(s.opener) })),
  "owner upload": of(`POST ${base}/upload-and-transcribe`, (s) => ({
    method: "POST",
    path: `${base}/upload-and-transcribe`,
    headers: bearer(s.opener),
    unfinished: uploadForm(new Uint8Array(buzzWav(1))),
  })),
  "program audio": of(`GET ${transcription}/audio`, (s) => ({ path: `${one(s)}/audio`, headers: bearer(s.program) })),
  "program archive": of(`POST ${base}/archive`, (s) => ({
    method: "POST",
    path: `${base}/archive`,
    headers: { ...bearer(s.program), "Content-Type": "application/json" },
    body: JSON.stringify({ ids: [s.id], formats: ["txt"], content: "original", lng: "en" }),
  })),
  "reader audio": of(`GET ${transcription}/audio`, (s) => ({ path: `${one(s)}/audio`, headers: bearer(s.reader) })),
  "reader transcript": of(`GET ${transcription}`, (s) => ({ path: one(s), headers: bearer(s.reader) })),
  "reader export": of(`GET ${transcription}/export`, (s) => ({ path: `${one(s)}/export?format=txt`, headers: bearer(s.reader) })),
  "reader events": of(`GET ${transcription}/events`, (s) => ({ path: `${one(s)}/events`, headers: bearer(s.reader) })),
  "link audio": of("GET /api/v1/shared/:link/audio", (s) => ({
    path: `/api/v1/shared/${s.link.id}/audio`,
    headers: { Cookie: s.cookies.link },
  })),
  "link export": of("GET /api/v1/shared/:link/export", (s) => ({
    path: `/api/v1/shared/${s.link.id}/export?format=txt`,
    headers: { Cookie: s.cookies.link },
  })),
  "link transcript": of("POST /api/v1/shared/:link/open", (s) => ({
    method: "POST",
    path: `/api/v1/shared/${s.link.id}/open`,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret: s.link.secret }),
  })),
  "vault link": of("GET /api/v1/shared-recordings/:link/content", (s) => ({
    path: `/api/v1/shared-recordings/${s.vaultLinkId}/content`,
    headers: { Cookie: s.cookies.vaultLink },
  })),
} satisfies Record<string, Body>;
export type BodyName = keyof typeof bodies;
export const bodyNames = Object.keys(bodies) as BodyName[];

/** Calls of links whose answers fit into the connection's buffers, so nothing can end them in time. */
export const shortBodies = ["POST /api/v1/shared-recordings/:link/open"];
/** The same for calls of accounts that a transcription is shared with. */
export const shortForReaders = ["notes", "peaks"].map((what) => `GET ${transcription}/${what}`);

const namesOf = (...begin: string[]): BodyName[] => bodyNames.filter((name) => begin.some((one) => name.startsWith(one)));
const everybodys = ["reader", "link", "vault link"];
/** Bodies with the recording and its text, whoever holds them. */
const ofTranscription = [...namesOf("owner audio", "owner picture", "owner captioned", "program audio", "reader", "link")];

interface Ending {
  ends: BodyName[];
  by(scene: Scene): Promise<Response>;
}

const reason = { reason: "a reason" };
const password = "correct horse";

/** Ways in which a right ends, by the call that ends it. */
export const endings: Record<string, Ending> = {
  "the session is ended": {
    ends: namesOf("owner"),
    by: ({ user, openerSession }) => user.call("DELETE", `/users/me/sessions/${openerSession}`),
  },
  "all others are signed out": { ends: namesOf("owner", "program"), by: ({ user }) => user.call("DELETE", "/users/me/sessions") },
  "the token is revoked": {
    ends: namesOf("program"),
    by: ({ user, tokenId }) => user.call("DELETE", `/users/me/tokens/${tokenId}`),
  },
  "an operator blocks the account": {
    ends: namesOf("owner", "program", ...everybodys),
    by: ({ superuser, userId }) => superuser.call("PATCH", `/admin/users/${userId}/blocked`, { blocked: true, ...reason }),
  },
  "the account is deleted": {
    ends: namesOf("owner", "program", ...everybodys),
    by: ({ user }) => user.call("DELETE", "/users/me", { password }),
  },
  "the reader's account is deleted": {
    ends: namesOf("reader"),
    by: ({ reader }) => reader.call("DELETE", "/users/me", { password }),
  },
  "it goes to the trash": {
    ends: ofTranscription,
    by: ({ user, id }) => user.call("DELETE", `/audio/remove-transcription/${id}`),
  },
  "it is moved into the vault": {
    ends: ofTranscription,
    by: ({ user, item }) => user.call("DELETE", `${vaults}/${item.id}/plaintext`),
  },
  "the share is withdrawn": {
    ends: namesOf("reader"),
    by: ({ user, id, shareId }) => user.call("DELETE", `${peopleOf(id)}/${shareId}`),
  },
  "the reader leaves": {
    ends: namesOf("reader"),
    by: async ({ reader }) => reader.call("DELETE", `${sharedWithMe}/${(await received(reader))[0]?.id}`),
  },
  "the link is revoked": {
    ends: namesOf("link"),
    by: ({ user, id, link }) => user.call("DELETE", `${linksOf(id)}/${link.id}`),
  },
  "the link gives no sound": { ends: ["link audio"], by: (scene) => changeLink(scene, { audio: false }) },
  "the link gives no file": { ends: ["link export"], by: (scene) => changeLink(scene, { download: false }) },
  "the link shows no translation": { ends: ["link transcript"], by: (scene) => changeLink(scene, { translation: false }) },
  "the link asks for a passphrase": { ends: namesOf("link"), by: (scene) => changeLink(scene, { passphrase }) },
  "the vault's link is revoked": {
    ends: ["vault link"],
    by: ({ user, item, vaultLinkId }) => user.call("DELETE", `${vaultLinksOf(item.id)}/${vaultLinkId}`),
  },
  "the recording is taken out of the vault": {
    ends: ["owner vault", "vault link"],
    by: ({ user, item }) => user.call("DELETE", `${vaults}/${item.id}`),
  },
  "the vault is deleted": { ends: ["owner vault", "vault link"], by: ({ user }) => user.call("DELETE", `${vaults}/vault`) },
};

const changeLink = ({ user, id, link }: Scene, change: object) => user.call("PATCH", `${linksOf(id)}/${link.id}`, change);

/** Each round uses one scene, and each ending ends some of the bodies that are still open then. */
export const rounds: (keyof typeof endings)[][] = [
  [
    ...["the link gives no sound", "the link gives no file", "the link shows no translation", "the vault's link is revoked"],
    ...["the share is withdrawn", "the token is revoked", "the session is ended"],
  ],
  ["the link is revoked", "the reader leaves", "the recording is taken out of the vault", "all others are signed out"],
  ["the link asks for a passphrase", "the reader's account is deleted", "the vault is deleted", "it goes to the trash"],
  ["it is moved into the vault"],
  ["an operator blocks the account"],
  ["the account is deleted"],
];
