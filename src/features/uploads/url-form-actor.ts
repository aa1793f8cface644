import { newId } from "#src/browser/new-id.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { storage } from "#src/browser/storage.ts";
import { loadFileEngines } from "#src/features/engines/actor.ts";
import { chosenLanguages } from "#src/features/engines/chosen-languages.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { createUrlForm, parseDraft, type UrlDraft, type UrlForm } from "./url-form.ts";

/** The pages that have the form. */
const pages: readonly string[] = ["/url-transcription-config", "/dashboard"];
const keyOf = () => `draft:${currentUserId() ?? ""}:url-config`;

/** The form's values, persisted in this browser over reloads and the end of a session. */
export const urlDraft = {
  get: (): UrlDraft => parseDraft(storage.read(keyOf())),
  set: (draft: UrlDraft): void => void storage.write(keyOf(), JSON.stringify(draft)),
};

const forms = perOwner<UrlForm>({ end: (form) => form.stop() });

const createForm = () =>
  createUrlForm({
    draft: urlDraft,
    newId,
    languages: async () => {
      const { sourceLanguage, targetLanguage } = chosenLanguages(await loadFileEngines(), { files: true });
      return { sourceLanguage, targetLanguage: targetLanguage ?? "" };
    },
    transcribe: (wanted, signal) => transcriptionsApi.transcribeUrl(wanted, signal),
    onBegun: (transcriptionId) => {
      const router = pageRouter();
      if (!pages.includes(router.state.location.pathname)) return;
      void router.navigate({ to: "/file-processing/$transcriptionId", params: { transcriptionId } });
    },
  });

/** The page's form: the same until the page is left, or it has been sent. */
export function enterUrlForm(): UrlForm {
  const known = forms.mine();
  return known?.getSnapshot().status === "active" ? known : forms.replace(createForm);
}

/** Aborts a pending call; if it succeeded anyway, sending the same again returns its transcription. */
export const leaveUrlForm = forms.close;

/** Loads the page's data. @throws ApiError */
export async function enterUrlConfig() {
  return { engines: await loadFileEngines(), form: enterUrlForm() };
}
