import { type Context, Hono } from "hono";
import {
  maxPeople,
  NewPerson,
  offerDays,
  type PeopleAnswer,
  PersonChange,
  type ReceivedShare,
  type SharedPerson,
  type SharedWithMeAnswer,
} from "#contract/index.ts";
import { sendEmailTo } from "#server/account/emails.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { newOfferLimit, offerMailPace, type Throttle } from "#server/session/throttle.ts";
import { ownSummary } from "#server/transcription/access-queries.ts";
import {
  acceptShare,
  changeRole,
  insertShare,
  leaveShare,
  listPeople,
  listReceived,
  type ReceivedRow,
  type Recipient,
  type ShareRow,
  withdrawShare,
} from "./queries.ts";

interface Parts extends SignInParts {
  config: { mail: { confirmation: boolean } };
  log: Log;
  origins: Origins;
  outbox: Outbox;
  throttle: Throttle;
}

const base = "/api/v1/audio-transcriptions";
const people = `${base}/transcription/:id/people`;
const received = `${base}/shared-with-me`;
const offerMs = offerDays * 24 * 60 * 60 * 1000;

/**
 * Transcriptions shared between accounts of this server (contract/people.ts): the routes of owners and of recipients.
 */
export function peopleRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.route("/", ownerRoutes(deps));
  app.route("/", recipientRoutes(deps));
  return app;
}

function ownerRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now, log, throttle } = deps;
  const ownedBy = (c: Context<AppEnv>) => ({
    id: c.req.param("share") ?? "",
    ownerId: c.var.user.id,
    transcriptionId: c.req.param("id") ?? "",
  });
  const noted = (c: Context<AppEnv>, id: string) => ({ account: c.var.user.id, session: c.var.sessionId, id });

  app.get(people, signedIn, async (c) => {
    const { id } = await ownSummary(deps, c.var.user.id, c.req.param("id"));
    const rows = await listPeople(db, c.var.user.id, id, now());
    return c.json({ people: rows.map(viewPerson) } satisfies PeopleAnswer);
  });

  app.post(people, signedIn, async (c) => {
    const { email, role } = await readJson(c, NewPerson);
    const { user, sessionId } = c.var;
    await throttle.count(newOfferLimit, user.id);
    const { id: transcriptionId } = await ownSummary(deps, user.id, c.req.param("id"));
    if (email === user.email) throw new Problem("badRequest", "email: you own this transcription");
    const at = now();
    const row = {
      ...{ id: crypto.randomUUID(), transcription_id: transcriptionId, owner_id: user.id, email, role },
      ...{ user_id: null, created_at: at, expires_at: at + offerMs },
    };
    await db.transaction().execute(async (t) => {
      await requireLiving(t, user.id, sessionId);
      await ownSummary({ db: t }, user.id, transcriptionId);
      if ((await listPeople(t, user.id, transcriptionId, at)).length >= maxPeople)
        throw new Problem(
          "tooManyAtOnce",
          `It is already shared with ${maxPeople} people: stop sharing it with one of them first.`,
        );
      if (!(await insertShare(t, row))) throw new Problem("conflict", "It is already shared with this address.");
    });
    log.info("transcription offered", noted(c, row.id));
    // The answer and the e-mail are the same whether an account has the address or not.
    if (await throttle.take(offerMailPace, email)) {
      const to = { email, name: "", language: user.language };
      await sendEmailTo(deps, to, "offered", { path: "/shared-with-me", email: user.email }, { userId: user.id });
    }
    return c.json(viewPerson(row) satisfies SharedPerson, 201);
  });

  app.patch(`${people}/:share`, signedIn, async (c) => {
    const { role } = await readJson(c, PersonChange);
    const row = await db.transaction().execute(async (t) => {
      await requireLiving(t, c.var.user.id, c.var.sessionId);
      return changeRole(t, ownedBy(c), role);
    });
    if (row === undefined) throw new Problem("notFound");
    log.info("share changed", noted(c, row.id));
    return c.json(viewPerson(row) satisfies SharedPerson);
  });

  app.delete(`${people}/:share`, signedIn, async (c) => {
    const owned = ownedBy(c);
    if (!(await db.transaction().execute((t) => withdrawShare(t, owned)))) throw new Problem("notFound");
    log.info("share ended", noted(c, owned.id));
    return c.body(null, 204);
  });
  return app;
}

function recipientRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now } = deps;
  /** If addresses are confirmed by e-mail, only a user with the proven address may accept an offer. */
  const recipientOf = ({ var: { user } }: Context<AppEnv>): Recipient => {
    const isProven = user.email_verified === 1 || !deps.config.mail.confirmation;
    return { userId: user.id, email: isProven ? user.email : undefined };
  };
  const answer = async (c: Context<AppEnv>) =>
    c.json({ shares: (await listReceived(db, recipientOf(c), now())).map(viewReceived) } satisfies SharedWithMeAnswer);

  app.get(received, signedIn, answer);

  app.post(`${received}/:share`, signedIn, async (c) => {
    const id = c.req.param("share");
    const isAccepted = await db.transaction().execute(async (t) => {
      await requireLiving(t, c.var.user.id, c.var.sessionId);
      return acceptShare(t, id, recipientOf(c), now());
    });
    if (!isAccepted) throw new Problem("notFound", "This transcription is not shared with you. Sharing may have ended.");
    return answer(c);
  });

  app.delete(`${received}/:share`, signedIn, async (c) => {
    const isLeft = await db.transaction().execute((t) => leaveShare(t, c.req.param("share"), recipientOf(c)));
    if (!isLeft) throw new Problem("notFound");
    return answer(c);
  });
  return app;
}

const iso = (at: number): string => new Date(at).toISOString();

/** A recipient in the owner's view: whether someone has accepted, but not who. */
function viewPerson({ id, email, role, user_id, created_at, expires_at }: ShareRow): SharedPerson {
  return {
    id,
    email,
    role,
    accepted: user_id !== null,
    createdAt: iso(created_at),
    expiresAt: expires_at === null ? null : iso(expires_at),
  };
}

function viewReceived(row: ReceivedRow): ReceivedShare {
  return {
    id: row.id,
    transcription: row.transcription_id,
    title: row.title,
    date: iso(row.date),
    durationSeconds: row.duration_seconds,
    by: row.email,
    role: row.role,
    accepted: row.user_id !== null,
    expiresAt: row.expires_at === null ? null : iso(row.expires_at),
  };
}
