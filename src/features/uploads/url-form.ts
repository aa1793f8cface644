import { newId } from "#src/browser/new-id.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { storage } from "#src/browser/storage.ts";
import { loadFileEngines } from "#src/features/engines/actor.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { askUsage } from "#src/features/subscription/usage.ts";
import { createUrlForm, parseDraft, type UrlDraft, type UrlForm } from "./create-url-form.ts";

const page = "/url-transcription-config";
const keyOf = () => `draft:${currentUserId() ?? ""}:url-config`;

/** What is filled in, kept in this browser: it survives a reload and a session that ends. */
export const urlDraft = {
  get: (): UrlDraft => parseDraft(storage.read(keyOf())),
  set: (draft: UrlDraft): void => void storage.write(keyOf(), JSON.stringify(draft)),
};

const forms = perOwner<UrlForm>({ end: (form) => form.stop() });

const createForm = () =>
  createUrlForm({
    ...{ draft: urlDraft, newId },
    transcribe: (wanted, signal) => transcriptionsApi.transcribeUrl(wanted, signal),
    onBegun: (transcriptionId) => {
      const router = pageRouter();
      if (router.state.location.pathname !== page) return;
      void router.navigate({ to: "/file-processing/$transcriptionId", params: { transcriptionId } });
    },
  });

/** The page's form: the same one until the page is left, or what is in it has been sent. */
export function enterUrlForm(): UrlForm {
  askUsage();
  const known = forms.mine();
  return known?.getSnapshot().status === "active" ? known : forms.replace(createForm);
}

/** A call that is under way is called off; should it have arrived, sending the same again finds what it has made. */
export const leaveUrlForm = forms.close;

/** What the page of the form needs. @throws ApiError */
export async function enterUrlConfig() {
  return { engines: await loadFileEngines(), form: enterUrlForm() };
}
