import { type Context, Hono } from "hono";
import { SharedOpening, type SharedTranscript, titleByDate, titleOf } from "#contract/index.ts";
import type { Passwords } from "#server/account/passwords.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { exportRow } from "#server/exports/export-row.ts";
import { readJson, readQuery } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import { type Concurrency, exportConcurrency, visitorConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { attachment } from "#server/http/file-name.ts";
import { describes } from "#server/http/operations.ts";
import type { Origins } from "#server/http/origins.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import { isSecretOf } from "#server/session/secrets.ts";
import {
  sharedAddressLimit,
  sharedEverywhereLimit,
  sharedLimit,
  sharedOpenLimit,
  type Throttle,
} from "#server/session/throttle.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Threads } from "#server/threads/threads.ts";
import { fileTitleOf } from "#server/transcription/file-title.ts";
import { findTranscription, isPlayable, type TranscriptionRow } from "#server/transcription/queries.ts";
import { type RecognizedAudio, soundType } from "#server/transcription/recognized-audio.ts";
import { sendAudio } from "#server/transcription/send-audio.ts";
import { findSummary } from "#server/transcription/summary-queries.ts";
import { factsOf, segmentsOf, withSegments } from "#server/transcription/view.ts";
import { titleFrom } from "#server/uploads/fields.ts";
import { sharingOperations as operations, SharedExportQuery } from "./operations.ts";
import { countView, findWorkingLink, type SharedLinkRow } from "./queries.ts";
import { sharingTasks } from "./thread-tasks.ts";
import { viewEnd } from "./view.ts";
import { createGrants, linkNotFound, notIndexed } from "./visitors.ts";

interface Parts extends DbParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  tokens: AccessTokens;
  throttle: Throttle;
  passwords: Passwords;
  concurrency: Concurrency;
  storage: Storage;
  recognizedAudio: RecognizedAudio;
  threads: Threads;
}

const path = "/api/v1/shared/:link";

/** The API for visitors who have a link and no account (contract/sharing.ts). */
export function sharedRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now, concurrency } = deps;
  const grants = createGrants(deps, "parlance_shared", path);

  /** The link in the path, which this browser has opened and which still works. @throws Problem `notFound` */
  async function grantedLink(c: Context<AppEnv>): Promise<SharedLinkRow> {
    const id = c.req.param("link") ?? "";
    const lock = await grants.lockOf(c, id);
    const link = lock === undefined ? undefined : await findWorkingLink(db, id, now());
    if (link === undefined || link.lock !== lock) throw linkNotFound();
    return link;
  }

  /** Ends the response when the link stops working, or loses one of these switches. */
  function endWithLink(
    c: Context<AppEnv>,
    { id, lock }: SharedLinkRow,
    needed: readonly ("audio" | "translation" | "download")[],
  ): void {
    askAgain(c, async () => {
      const link = await findWorkingLink(db, id, now());
      if (link === undefined || link.lock !== lock || needed.some((name) => link[name] === 0)) throw linkNotFound();
      if (needed.includes("audio") && !(await isPlayable(db, link.transcription_id))) throw linkNotFound();
    });
  }

  app.use("/api/v1/shared/*", notIndexed);

  app.post(`${path}/open`, describes(operations.open), async (c) => {
    const { secret, passphrase } = await readJson(c, SharedOpening);
    const address = addressOf(c, deps.config.trustProxy);
    await deps.throttle.count(sharedOpenLimit, address);
    const link = await findWorkingLink(db, c.req.param("link"), now());
    if (link === undefined || !isSecretOf(secret, link.hash)) throw linkNotFound();
    const isGranted = (await grants.lockOf(c, link.id)) === link.lock;
    if (link.passphrase_hash !== null && !isGranted) {
      if (passphrase === undefined) return c.json({ locked: true });
      await checkPassphrase(deps, { link: link.id, hash: link.passphrase_hash, passphrase, address });
    }
    endWithLink(c, link, link.translation === 1 ? ["translation"] : []);
    const json = await concurrency.run(visitorConcurrency, address, c.req.raw.signal, () => shownBy(deps, link, address));
    // A visit counts once, however often the page is reloaded. A grant by passphrase is not extended.
    if (!isGranted) await countView(db, "shared_links", link.id);
    if (!isGranted || link.passphrase_hash === null) await grants.give(c, link.id, link.lock);
    return c.body(`{"locked":false,"transcript":${json}}`, 200, { "Content-Type": "application/json" });
  });

  app.get(`${path}/audio`, describes(operations.audio), async (c) => {
    const link = await grantedLink(c);
    endWithLink(c, link, ["audio"]);
    const row = link.audio === 1 ? await findSummary(db, link.user_id, link.transcription_id) : undefined;
    const file = row === undefined ? undefined : await deps.storage.audio(row.id);
    if (file === undefined || row === undefined || row.audio_type === null) throw linkNotFound();
    const heard = await deps.recognizedAudio.file(row);
    const type = heard === undefined ? row.audio_type : soundType;
    const name = heard === undefined ? link.id : `${link.id}-${heard.kind}`;
    // Always served from here: a presigned URL of the bucket would stay valid for minutes after the link was revoked.
    return sendAudio(c, heard?.file ?? file, { type, disposition: "inline", name });
  });

  app.get(`${path}/export`, describes(operations.export), async (c) => {
    const { format, content, lng } = readQuery(c, SharedExportQuery);
    const link = await grantedLink(c);
    const row = link.download === 1 ? await findTranscription(db, link.user_id, link.transcription_id) : undefined;
    if (row === undefined) throw linkNotFound();
    const isTranslated = link.translation === 1 && content !== "original";
    endWithLink(c, link, isTranslated ? ["download", "translation"] : ["download"]);
    const options = { format, content: isTranslated ? content : ("original" as const), language: lng };
    const address = addressOf(c, deps.config.trustProxy);
    const make = () => exportRow(deps, row, options, address);
    const { bytes, type } = await concurrency.run(exportConcurrency, address, c.req.raw.signal, make);
    const disposition = attachment(fileTitleOf({ ...factsOf(row), title: chosenTitle(row) }), format);
    return c.body(bytes, 200, { "Content-Type": type, "Content-Disposition": disposition });
  });
  return app;
}

/** What a link shows, as JSON (`SharedTranscript`). @param person the visitor's network @throws Problem `notFound` */
async function shownBy({ db, threads }: Parts, link: SharedLinkRow, person: string): Promise<string> {
  const row = await findTranscription(db, link.user_id, link.transcription_id);
  if (row === undefined) throw linkNotFound();
  const stored = await segmentsOf(db, row);
  const input = { segments: stored, translation: link.translation === 1 };
  const segments = await threads.run(sharingTasks.sharedSegments, input, { person, size: stored.length });
  return withSegments(sharedFacts(row, link, segments === "[]"), segments);
}

/**
 * The title. If it is only the uploaded file's name, or the host that the file came from, nobody has chosen to show it;
 * then the title of an unnamed recording is used.
 */
function chosenTitle({ title, file_name, date }: TranscriptionRow): string {
  return file_name !== null && [file_name, titleFrom(file_name)].includes(title) ? titleByDate(date) : title;
}

/** @param isBare whether there are no segments; then the text is sent */
function sharedFacts(row: TranscriptionRow, link: SharedLinkRow, isBare: boolean): Omit<SharedTranscript, "segments"> {
  const { text, translatedText, sourceLanguage, targetLanguage, durationSeconds, hasAudio, date } = factsOf(row);
  const title = chosenTitle(row);
  const translated = link.translation === 1;
  return {
    title: titleOf({ title, text, sourceLanguage, date }) || title,
    date,
    sharedBy: link.name,
    sourceLanguage,
    targetLanguage: translated ? targetLanguage : null,
    durationSeconds,
    hasAudio: hasAudio && link.audio === 1,
    download: link.download === 1,
    expiresAt: viewEnd(link),
    text: isBare ? text : "",
    translatedText: isBare && translated ? translatedText : "",
  };
}

interface Attempt {
  /** The link's id. */
  link: string;
  /** Hash of the link's passphrase. */
  hash: string;
  passphrase: string;
  /** The network that the request comes from (http/client-address.ts). */
  address: string;
}

/**
 * Checks a passphrase, counted beforehand: for this link from this address, from this address for any link, and for
 * this link from everywhere.
 * @throws Problem `wrongPassword`, `tooManyRequests`
 */
async function checkPassphrase(
  { throttle, passwords }: { throttle: Throttle; passwords: Passwords },
  { link, hash, passphrase, address }: Attempt,
): Promise<void> {
  const own = `${address}\0${link}`;
  await throttle.count(sharedLimit, own);
  await throttle.count(sharedAddressLimit, address);
  await throttle.count(sharedEverywhereLimit, link);
  if (!(await passwords.verify(passphrase, hash, { person: address })))
    throw new Problem("wrongPassword", "The passphrase is wrong.");
  await throttle.reset(sharedLimit, own);
}
