import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take much longer than their size says, the longest first. What begins last runs alone, with the other processors
 * idle; Vitest itself knows how long a file takes only from an earlier run on the same machine.
 */
const longest = [
  "server/speech/pocketsphinx.test.ts",
  "server/engines/real-engines.test.ts",
  "server/subscription/usage.test.ts",
  "server/watched-folder/command.test.ts",
  "server/translation/bergamot.test.ts",
  "server/voice-profiles/profiles.test.ts",
  "server/models/installer.test.ts",
  "server/uploads/fetching/transcribe-url.test.ts",
  "server/subscription/silence.test.ts",
  "server/speech/kinds.test.ts",
  "server/uploads/upload.test.ts",
  "server/speech/decode.test.ts",
  "server/voice-profiles/deletion.test.ts",
  "server/watched-folder/watched-folder.test.ts",
  "server/jobs/jobs.test.ts",
  "server/http/permissions.test.ts",
  "server/speech/silero.test.ts",
  "server/uploads/tus.test.ts",
  "server/translation/apertium.test.ts",
  "server/dictation/adapted.test.ts",
  "server/operating/telemetry.test.ts",
  "server/transcription/diarization.test.ts",
  "server/api-description/examples.test.ts",
  "server/session/signing-keys.test.ts",
  "server/models/command.test.ts",
  "server/account/mails.test.ts",
  "server/voice-profiles/real-voices.test.ts",
  "server/account/passwords.test.ts",
  "server/uploads/fetching/attacks.test.ts",
  "paths/transcriptions/machine.test.ts",
  "paths/transcription/machine.test.ts",
  "paths/session/machine.test.ts",
  "paths/vault/machine.test.ts",
  "paths/inspection/machine.test.ts",
  "paths/dictation/machine.test.ts",
  "paths/blog-admin/post-editor.test.ts",
  "browser/walk/walk.test.ts",
  "browser/translator/translator.test.ts",
  "browser/vault/vault.test.ts",
  "browser/shell/accessibility.test.ts",
  "browser/subscription/usage.test.ts",
  "browser/transcription/transcription.test.ts",
  "browser/dictation/dictation.test.ts",
  "browser/session/federated.test.ts",
  "browser/session/other-person.test.ts",
  "browser/uploads/main-job.test.ts",
  "browser/translator/live-translation.test.ts",
  "browser/uploads/upload.test.ts",
  "browser/uploads/config.test.ts",
  "browser/settings/settings.test.ts",
  "browser/session/access.test.ts",
  "browser/inspection/inspect.test.ts",
  "browser/tryout/tryout.test.ts",
  "browser/transcription/speakers.test.ts",
  "browser/admin/admin.test.ts",
  "browser/subscription/subscription.test.ts",
  "browser/uploads/person.test.ts",
  "browser/engines/models-manage.test.ts",
  "browser/engines/test-pages.test.ts",
  "browser/shell/shell.test.ts",
  "browser/vocabulary/vocabulary.test.ts",
  "browser/subscription/walk.test.ts",
  "browser/scheduled-posting/schedule.test.ts",
  "browser/blog-admin/editor.test.ts",
  "browser/uploads/url.test.ts",
  "browser/voice-profiles/voice-profiles.test.ts",
  "browser/shell/toasts.test.ts",
  "browser/translator/face-to-face.test.ts",
  "browser/session/session.test.ts",
  "browser/shell/narrow.test.ts",
  "browser/account/mails.test.ts",
  "browser/session/linking.test.ts",
  "browser/analytics/analytics.test.ts",
  "browser/transcriptions/trash.test.ts",
  "browser/session/end.test.ts",
  "browser/transcriptions/filters-paths.test.ts",
  "browser/blog/blog.test.ts",
  "browser/landing/information.test.ts",
  "browser/landing/landing.test.ts",
  "browser/vault/moving.test.ts",
  "grown/jobs/crash.test.ts",
  "grown/http/stall.test.ts",
  "grown/jobs/decoding-limits.test.ts",
  "grown/http/odd-values.test.ts",
  "grown/models/event-loop.test.ts",
  "grown/speech/formats.test.ts",
  "grown/uploads/fetching.test.ts",
  "grown/http/huge-pictures.test.ts",
  "grown/browser/session/access-paths.test.ts",
  "grown/browser/transcriptions/paths.test.ts",
  "grown/browser/uploads/resume.test.ts",
  "grown/browser/session/storm.test.ts",
  "grown/browser/shell/other-server.test.ts",
  "grown/browser/engines/models.test.ts",
  "grown/browser/uploads/upload.test.ts",
];

/** Starts the longest files of a group of projects first, and otherwise keeps Vitest's order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => groupOf(one) - groupOf(other) || rankOf(one) - rankOf(other));
  }
}

const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((path) => moduleId.endsWith(`/tests/${path}`));
  return rank < 0 ? longest.length : rank;
}
