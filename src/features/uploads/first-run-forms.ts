import { pageRouter } from "#src/browser/page-router.ts";
import { createButtonForm } from "#src/features/account/forms.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { internalFailure } from "./url-form.ts";
import { enterUrlForm, leaveUrlForm } from "./url-form-actor.ts";

/** Requests the sample, and opens it. */
const createSampleForm = () =>
  createButtonForm(async (signal) => {
    const { id } = await transcriptionsApi.openSample({ title: i18n.t("app:firstRun.sampleTitle") }, signal);
    // The user may have left the page meanwhile.
    if (!signal.aborted) void pageRouter().navigate({ to: "/transcription/$id", params: { id } });
    return { kind: "done" };
  }, internalFailure);

export type SampleForm = ReturnType<typeof createSampleForm>;
const samples = perOwner<SampleForm>({ end: (form) => form.stop() });

/**
 * The forms of an empty dashboard: an address, and the sample. Created for each visit, because a form ends with its
 * answer.
 */
export function enterFirstRun() {
  return { address: enterUrlForm(), sample: samples.replace(createSampleForm) };
}

export function leaveFirstRun(): void {
  leaveUrlForm();
  samples.close();
}
