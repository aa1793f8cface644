import { type GenericSchema, type InferInput, type InferOutput, parseJson, pipe, record, safeParse, string } from "valibot";
import { ContactMessage, Feedback, WaitlistEntry } from "#contract/index.ts";
import type { Values } from "#machines/submission.ts";
import type { InboxApi } from "#src/api/inbox.ts";
import { type AccountForm, checkFields, createForm, done, refused } from "#src/features/account/forms.ts";
import { interfaceLanguageOf } from "#src/i18n/interface-language.ts";

/** Dependencies of the message forms. */
export interface InboxEnvironment {
  api: InboxApi;
  newId(): string;
  /** The interface's language. */
  language(): string;
  /** The draft, kept in this browser until it is sent; "" when there is none. */
  draft: { read(): string; write(text: string): void; remove(): void };
}

/** Feedback of a signed-in person. The caller stops it, as with all of these. */
export function createFeedbackForm(environment: InboxEnvironment) {
  return createInboxForm(environment, { text: "", rating: "" }, Feedback, environment.api.feedback, "inbox:feedback.sent");
}

export function createContactForm(environment: InboxEnvironment) {
  return createInboxForm(
    environment,
    { name: "", email: "", text: "" },
    ContactMessage,
    environment.api.contact,
    "inbox:contact.sent",
  );
}

export function createWaitlistForm(environment: InboxEnvironment) {
  return createInboxForm(environment, { email: "" }, WaitlistEntry, environment.api.waitlist, "inbox:waitlist.sent");
}

const errors: Values = { text: "inbox:textNeeded", email: "account.emailInvalid", name: "account.nameLong" };

/** The same id until it is delivered: a retry after a lost answer creates no duplicate. */
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
  const stored = safeParse(pipe(string(), parseJson(), record(string(), string())), draft.read());
  return Object.fromEntries(Object.keys(empty).map((field) => [field, (stored.success && stored.output[field]) || ""]));
}
