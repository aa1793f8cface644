import { newId } from "#src/browser/new-id.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { storage } from "#src/browser/storage.ts";
import { loadFileEngines } from "#src/features/engines/actor.ts";
import { chosenLanguages } from "#src/features/engines/chosen-languages.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { createUrlForm, parseDraft, type UrlDraft, type UrlForm } from "./url-form.ts";

/** The pages with this form. */
const pages: readonly string[] = ["/url-transcription-config", "/dashboard"];
const keyOf = () => `draft:${currentUserId() ?? ""}:url-config`;

/** The form's values. This browser persists them over reloads and sign-outs. */
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

/** Opens the page's form. Returns the same one until the user leaves the page or has sent the form. */
export function enterUrlForm(): UrlForm {
  const known = forms.mine();
  return known?.getSnapshot().status === "active" ? known : forms.replace(createForm);
}

/** Aborts a pending call. If the call succeeded anyway, sending the form again returns the same transcription. */
export const leaveUrlForm = forms.close;

/** Loads the page's data. @throws ApiError */
export async function enterUrlConfig() {
  return { engines: await loadFileEngines(), form: enterUrlForm() };
}
