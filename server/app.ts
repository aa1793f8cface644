import { Hono } from "hono";
import type { ErrorBody } from "../src/api/contract/index.ts";
import type { AppEnv, Deps } from "./deps.ts";
import { isCalledOff } from "./http/body.ts";
import { allowPage, apiHeaders, logRequests, refuseStrangers } from "./http/guards.ts";
import { limitRequests } from "./http/limits.ts";
import { describeError } from "./log.ts";
import { isDiskFull, Problem } from "./problem.ts";
import { accountMailRoutes } from "./routes/account-mails.ts";
import { adminRoutes } from "./routes/admin.ts";
import { adminInboxRoutes } from "./routes/admin-inbox.ts";
import { adminJobRoutes } from "./routes/admin-jobs.ts";
import { audioRoutes } from "./routes/audio.ts";
import { authRoutes } from "./routes/auth.ts";
import { billingRoutes } from "./routes/billing.ts";
import { blogRoutes } from "./routes/blog.ts";
import { blogAdminRoutes } from "./routes/blog-admin.ts";
import { blogAnalyticsRoutes } from "./routes/blog-analytics.ts";
import { blogGeneratorRoutes } from "./routes/blog-generator.ts";
import { blogScheduleRoutes } from "./routes/blog-schedule.ts";
import { conversationRoutes } from "./routes/conversations.ts";
import { encryptedAudioRoutes } from "./routes/encrypted-audio.ts";
import { engineRoutes } from "./routes/engines.ts";
import { eventRoutes } from "./routes/events.ts";
import { federatedRoutes } from "./routes/federated.ts";
import { healthRoutes } from "./routes/health.ts";
import { inboxRoutes } from "./routes/inbox.ts";
import { languageRoutes } from "./routes/languages.ts";
import { linkingRoutes } from "./routes/linking.ts";
import { mailRoutes } from "./routes/mails.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { speechRoutes } from "./routes/speech.ts";
import { subscriptionRoutes } from "./routes/subscriptions.ts";
import { transcribeUrlRoutes } from "./routes/transcribe-url.ts";
import { transcriptionRoutes } from "./routes/transcriptions.ts";
import { announceTus, tusRoutes } from "./routes/tus.ts";
import { uploadRoutes } from "./routes/upload.ts";
import { usageRoutes } from "./routes/usage.ts";

/** The API of SPEC.md section 7. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(logRequests(deps), apiHeaders(deps), announceTus(deps), allowPage(deps), limitRequests(), refuseStrangers(deps));
  const resources = [
    healthRoutes,
    // Before those of single posts, whose addresses look the same.
    blogAnalyticsRoutes,
    blogScheduleRoutes,
    blogRoutes,
    blogAdminRoutes,
    authRoutes,
    accountMailRoutes,
    settingsRoutes,
    mailRoutes,
    inboxRoutes,
    federatedRoutes,
    linkingRoutes,
    engineRoutes,
    speechRoutes,
    conversationRoutes,
    transcriptionRoutes,
    uploadRoutes,
    tusRoutes,
    audioRoutes,
    eventRoutes,
    subscriptionRoutes,
    billingRoutes,
    encryptedAudioRoutes,
    usageRoutes,
    transcribeUrlRoutes,
    languageRoutes,
    adminRoutes,
    adminInboxRoutes,
    adminJobRoutes,
    blogGeneratorRoutes,
  ];
  for (const resource of resources) app.route("/", resource(deps));
  app.notFound((c) => c.json({ message: "There is nothing at this address.", code: "notFound" } satisfies ErrorBody, 404));
  app.onError((error, c) => {
    const problem = isCalledOff(c) ? new Problem("interrupted", undefined, { cause: error }) : problemOf(error);
    if (problem.code === "internal") deps.log.error("request failed", { path: c.req.path, ...describeError(error) });
    if (problem.retryAfter !== undefined) c.header("Retry-After", String(problem.retryAfter));
    return c.json({ message: problem.message, code: problem.code } satisfies ErrorBody, problem.status);
  });
  return app;
}

/** What the caller is told of an error: nothing about the inside of the server. */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(isDiskFull(error) ? "storageFull" : "internal");
}
