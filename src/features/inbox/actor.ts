import { type GenericSchema, type InferInput, type InferOutput, record, safeParse, string } from "valibot";
import { ContactMessage, Feedback, WaitlistEntry } from "#contract/index.ts";
import type { Values } from "#machines/submission.ts";
import { createCall } from "#src/api/http.ts";
import { createInboxApi, type InboxApi } from "#src/api/inbox.ts";
import { newId } from "#src/browser/new-id.ts";
import { storage } from "#src/browser/storage.ts";
import { parsed } from "#src/browser/stored.ts";
import { type AccountForm, checkFields, createForm, done, refused } from "#src/features/account/forms.ts";
import { currentUserId, plainSend } from "#src/features/session/actor.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";

const makers = {
  feedback: (environment: InboxEnvironment) =>
    createInboxForm(environment, { text: "", rating: "" }, Feedback, environment.api.feedback, "inbox:feedback.sent"),
  contact: (environment: InboxEnvironment) =>
    createInboxForm(
      environment,
      { name: "", email: "", text: "" },
      ContactMessage,
      environment.api.contact,
      "inbox:contact.sent",
    ),
  waitlist: (environment: InboxEnvironment) =>
    createInboxForm(environment, { email: "" }, WaitlistEntry, environment.api.waitlist, "inbox:waitlist.sent"),
};
export type InboxForm = keyof typeof makers;

/** The drafts of the page's forms, for each user. In local storage until they are sent. */
function draftFor(name: InboxForm): InboxEnvironment["draft"] {
  const key = `draft:${name === "feedback" ? (currentUserId() ?? "") : ""}:${name}`;
  return {
    read: () => storage.read(key) ?? "",
    write: (text) => void storage.write(key, text),
    remove: () => storage.remove(key),
  };
}

interface OpenForm {
  name: InboxForm;
  form: AccountForm;
}
const end = ({ form }: OpenForm) => form.stop();
/** Feedback needs sign-in; the other two work for everybody. */
const own = perOwner<OpenForm>({ end });
const anybodys = perOwner<OpenForm>({ end, owner: { get: () => null, subscribe: () => () => {} } });
const keeperOf = (name: InboxForm) => (name === "feedback" ? own : anybodys);

/** Opens the page's form. Returns the same one until the user leaves the page. */
export function enterInbox(name: InboxForm): AccountForm {
  const known = keeperOf(name).mine();
  if (known?.name === name) return known.form;
  leaveInbox();
  const api = createInboxApi(name === "feedback" ? call : createCall(plainSend));
  const make = () => makers[name]({ api, newId, language: () => i18n.language, draft: draftFor(name) });
  return keeperOf(name).replace(() => ({ name, form: make() })).form;
}

/** Aborts a pending call; the draft is kept. */
export function leaveInbox(): void {
  own.close();
  anybodys.close();
}

/** Dependencies of the message forms. */
interface InboxEnvironment {
  api: InboxApi;
  newId(): string;
  /** The interface's language. */
  language(): string;
  /** The draft that this browser keeps until it is sent; "" when there is none. */
  draft: { read(): string; write(text: string): void; remove(): void };
}

const errors: Values = { text: "inbox:textNeeded", email: "account.emailInvalid", name: "account.nameLong" };

/**
 * A message form. The caller stops it. It keeps its id until it is delivered, so that a retry after a lost answer
 * creates no duplicate.
 */
function createInboxForm<S extends GenericSchema>(
  environment: InboxEnvironment,
  empty: Values,
  schema: S,
  send: (message: InferInput<S>, signal: AbortSignal) => Promise<void>,
  sent: string,
): AccountForm {
  const clientId = environment.newId();
  const filled = ({ rating, ...values }: Values) => {
    return {
      ...values,
      clientId,
      ...(rating && { rating: Number(rating) }),
      language: interfaceLanguageOf(environment.language()),
    };
  };
  const check = (values: Values): Values => {
    const wrong = new Set(safeParse(schema, filled(values)).issues?.map((issue) => String(issue.path?.[0]?.key)));
    return checkFields(
      Object.fromEntries(Object.keys(empty).map((field) => [field, wrong.has(field) ? errors[field] : undefined])),
    );
  };
  const form = createForm(draftOf(environment, empty), check, async (values, signal) => {
    const message = safeParse(schema, filled(values));
    if (!message.success) return refused("errors.badRequest");
    await send(message.output satisfies InferOutput<S>, signal);
    environment.draft.remove();
    return done(sent);
  });
  form.subscribe(({ status, context }) => {
    if (status === "active") environment.draft.write(JSON.stringify(context.values));
  });
  return form;
}

function draftOf({ draft }: InboxEnvironment, empty: Values): Values {
  const values = parsed(record(string(), string()), draft.read());
  return Object.fromEntries(Object.keys(empty).map((field) => [field, values?.[field] || ""]));
}
