import { Hono } from "hono";
import type { ErrorBody } from "#contract/index.ts";
import { linkingRoutes } from "./account/linking-routes.ts";
import { accountMailRoutes } from "./account/routes.ts";
import { signInRoutes } from "./account/sign-in-routes.ts";
import { adminInboxRoutes } from "./admin/inbox-routes.ts";
import { adminJobRoutes } from "./admin/jobs-routes.ts";
import { adminRoutes } from "./admin/routes.ts";
import { apiDescriptionRoutes } from "./api/routes.ts";
import { adminBackupRoutes } from "./backup/routes.ts";
import { blogRoutes } from "./blog/routes.ts";
import { blogGeneratorRoutes } from "./blog-admin/generator-routes.ts";
import { blogAdminRoutes } from "./blog-admin/routes.ts";
import { blogAnalyticsRoutes } from "./blog-analytics/routes.ts";
import { deviceTranslationRoutes } from "./device-models/routes.ts";
import { dictationRoutes } from "./dictation/routes.ts";
import { languageRoutes } from "./engines/languages-routes.ts";
import { engineRoutes } from "./engines/routes.ts";
import { speechRoutes } from "./engines/speech-routes.ts";
import { isOwnFault, Problem } from "./errors/problem.ts";
import { exportRoutes } from "./exports/routes.ts";
import { feedRoutes } from "./feeds/routes.ts";
import { archiveRoutes } from "./filing/archive.ts";
import { filingRoutes } from "./filing/routes.ts";
import { isCalledOff } from "./http/body.ts";
import type { AppEnv } from "./http/env.ts";
import { apiHeaders, corsForPage, csrfProtection } from "./http/guards.ts";
import { healthRoutes } from "./http/health-routes.ts";
import { limitRequests } from "./http/limits.ts";
import { problemOf } from "./http/problem-of.ts";
import { logRefusal } from "./http/refusal-log.ts";
import { observeRequests, routeOf } from "./http/request-log.ts";
import { limitUnread } from "./http/unread.ts";
import { whileAllowed } from "./http/while-allowed.ts";
import { yieldToEventLoop } from "./http/yield-to-event-loop.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { insightRoutes } from "./insights/routes.ts";
import { templateRoutes } from "./insights/template-routes.ts";
import { requestRefused } from "./log/events.ts";
import { describeError } from "./log/log.ts";
import { mailRoutes } from "./mail/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { noteRoutes } from "./notes/routes.ts";
import { noticeRoutes } from "./notices/routes.ts";
import { passkeyRoutes } from "./passkeys/routes.ts";
import { passkeySignInRoutes } from "./passkeys/sign-in-routes.ts";
import { peopleRoutes } from "./people/routes.ts";
import { personalTokenRoutes } from "./personal-tokens/routes.ts";
import type { Deps } from "./processes/open-parts.ts";
import { retentionRoutes } from "./retention/routes.ts";
import { blogScheduleRoutes } from "./scheduled-posting/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
import { secondStepRoutes } from "./second-factor/sign-in-routes.ts";
import { federatedRoutes } from "./session/federated-routes.ts";
import { sessionRoutes } from "./session/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { sharingRoutes } from "./sharing/routes.ts";
import { sharedRoutes } from "./sharing/visitor-routes.ts";
import { billingRoutes } from "./subscription/billing-routes.ts";
import { subscriptionRoutes } from "./subscription/routes.ts";
import { usageRoutes } from "./subscription/usage-routes.ts";
import { telemetryRoutes } from "./telemetry/routes.ts";
import { audioRoutes } from "./transcription/audio-routes.ts";
import { transcriptionRoutes } from "./transcription/routes.ts";
import { suggestionRoutes } from "./transcription/suggestion-routes.ts";
import { eventRoutes } from "./transcriptions/events-routes.ts";
import { historyRoutes } from "./transcriptions/routes.ts";
import { sampleRoutes } from "./transcriptions/sample-routes.ts";
import { trashRoutes } from "./transcriptions/trash-routes.ts";
import { conversationRoutes } from "./translator/routes.ts";
import { uploadRoutes } from "./uploads/multipart-routes.ts";
import { announceTus, tusRoutes } from "./uploads/routes.ts";
import { transcribeUrlRoutes } from "./uploads/url-routes.ts";
import { vaultLinkRoutes } from "./vault/link-routes.ts";
import { findVault } from "./vault/queries.ts";
import { encryptedAudioRoutes } from "./vault/routes.ts";
import { sharedRecordingRoutes } from "./vault/visitor-routes.ts";
import { videoRoutes } from "./video/routes.ts";
import { vocabularyRoutes } from "./vocabulary/routes.ts";
import { voiceProfileRoutes } from "./voice-profiles/routes.ts";
import { waveformRoutes } from "./waveform/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** These methods write nothing for the user. */
const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The API of SPEC.md section 7. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(yieldToEventLoop(deps), observeRequests(deps), apiHeaders(deps), announceTus(deps), corsForPage(deps));
  app.use(limitRequests(), limitUnread(deps), csrfProtection(deps), whileAllowed(deps));
  app.use((c, next) => (reads.has(c.req.method) ? next() : deps.quota.within(() => c.var.user?.id, next)));
  const resources = [
    healthRoutes,
    telemetryRoutes,
    // Before the routes of single posts, whose patterns match these paths too.
    blogAnalyticsRoutes,
    blogScheduleRoutes,
    blogRoutes,
    blogAdminRoutes,
    signInRoutes,
    sessionRoutes,
    accountMailRoutes,
    settingsRoutes,
    secondFactorRoutes,
    secondStepRoutes,
    passkeyRoutes,
    passkeySignInRoutes,
    personalTokenRoutes,
    webhookRoutes,
    noticeRoutes,
    feedRoutes,
    vocabularyRoutes,
    voiceProfileRoutes,
    mailRoutes,
    inboxRoutes,
    federatedRoutes,
    linkingRoutes,
    engineRoutes,
    deviceTranslationRoutes,
    speechRoutes,
    conversationRoutes,
    historyRoutes,
    searchRoutes,
    sampleRoutes,
    trashRoutes,
    filingRoutes,
    retentionRoutes,
    archiveRoutes,
    transcriptionRoutes,
    exportRoutes,
    suggestionRoutes,
    insightRoutes,
    templateRoutes,
    noteRoutes,
    sharingRoutes,
    peopleRoutes,
    sharedRoutes,
    dictationRoutes,
    uploadRoutes,
    tusRoutes,
    audioRoutes,
    waveformRoutes,
    videoRoutes,
    eventRoutes,
    subscriptionRoutes,
    billingRoutes,
    encryptedAudioRoutes,
    vaultLinkRoutes,
    sharedRecordingRoutes,
    (parts: Deps) => usageRoutes({ ...parts, hasVault: async (id) => (await findVault(parts.db, id)) !== undefined }),
    transcribeUrlRoutes,
    languageRoutes,
    adminRoutes,
    adminInboxRoutes,
    adminJobRoutes,
    adminBackupRoutes,
    modelRoutes,
    blogGeneratorRoutes,
  ];
  for (const resource of resources) app.route("/", resource(deps));
  app.route(
    "/",
    apiDescriptionRoutes(() => app.routes),
  );
  app.notFound((c) => c.json({ message: "There is nothing at this address.", code: "notFound" } satisfies ErrorBody, 404));
  app.onError((error, c) => {
    const problem = isCalledOff(c) ? new Problem("interrupted", undefined, { cause: error }) : problemOf(error);
    requestRefused.happened({ code: problem.code });
    logRefusal(c, deps.log, problem);
    if (isOwnFault(problem)) deps.log.error("request failed", { route: routeOf(c), ...describeError(problem.cause ?? error) });
    if (problem.retryAfter !== undefined) c.header("Retry-After", String(problem.retryAfter));
    return c.json({ message: problem.message, code: problem.code } satisfies ErrorBody, problem.status);
  });
  return app;
}
