import { createCall } from "#src/api/http.ts";
import { createInboxApi } from "#src/api/inbox.ts";
import { newId } from "#src/browser/new-id.ts";
import { storage } from "#src/browser/storage.ts";
import type { AccountForm } from "#src/features/account/forms.ts";
import { currentUserId, plainSend } from "#src/features/session/actor.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { createContactForm, createFeedbackForm, createWaitlistForm, type InboxEnvironment } from "./forms.ts";

const makers = { feedback: createFeedbackForm, contact: createContactForm, waitlist: createWaitlistForm };
export type InboxForm = keyof typeof makers;

/** The drafts of the pages' forms, per person; in local storage until they are sent. */
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
/** Feedback needs sign-in; the other two work for anybody. */
const own = perOwner<OpenForm>({ end });
const anybodys = perOwner<OpenForm>({ end, owner: { get: () => null, subscribe: () => () => {} } });
const keeperOf = (name: InboxForm) => (name === "feedback" ? own : anybodys);

/** The form of the page that is shown: the same until the page is left. */
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
