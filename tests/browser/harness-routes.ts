/**
 * Every route of SPEC.md section 2, in its words and order; {…} stands for a parameter. tests/page/routes.test.ts
 * checks that the page has exactly these.
 */
export const specifiedRoutes = {
  /** "Public routes" */
  everyone: [
    "/",
    "/waitlist",
    ...["/signin", "/signup"],
    "/forgot-password",
    ...["/reset-password", "/auth/reset-password"],
    ...["/terms", "/privacy", "/about", "/contact"],
    "/auth/google/callback",
    ...["/subscription-success", "/subscription-cancelled"],
    ...["/email-confirmation", "/email-verification"],
    ...["/email-confirm-success", "/auth/confirm-email"],
    ...["/blog", "/blog/{slug}"],
    ...["/debug/languages", "/analytics-test", "/test/chunked-transcription", "/test/realtime-transcription"],
  ],
  /**
   * "Routes that need sign-in", and the two of the free tier that need a subscription (section 5, "Subscription gate")
   */
  signedIn: [
    ...["/settings", "/subscription", "/feedback", "/dashboard", "/transcription/{id}"],
    ...["/file-upload-config", "/url-transcription-config", "/file-processing/{transcriptionId}"],
    ...["/voice-translator", "/speech-to-text"],
  ],
  /** "Routes that need sign-in and a subscription" */
  subscribed: ["/encrypted-audio", "/encrypted-audio/{transcriptionId}"],
  /** "Admin-only routes" … "and the same four under /admin/blog" */
  superuser: [
    "/admin",
    ...["/blog/admin", "/blog/admin/analytics", "/blog/admin/editor", "/blog/admin/generator"],
    ...["/admin/blog", "/admin/blog/analytics", "/admin/blog/editor", "/admin/blog/generator"],
  ],
} as const;

/** Routes that the specification does not name, by their users. */
export const ownRoutes = {
  everyone: ["/debug/machines", "/shared", "/shared-recording", "/api", "/second-step"],
  signedIn: [
    ...["/trash", "/search", "/shared-with-me"],
    ...["/settings/account", "/settings/preferences", "/settings/transcription", "/settings/notifications"],
    ...["/settings/security", "/settings/developer", "/settings/data"],
  ],
  superuser: ["/admin/models"],
} as const;

/** SPEC.md section 2: "Both redirect to /dashboard if the user is already authenticated". */
export const signInRoutes: readonly string[] = ["/signin", "/signup"];
