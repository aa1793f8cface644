import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// Each sentence of SPEC.md section 8 is exactly an English text of the page, or one in the code, and is used.

const root = fileURLToPath(new URL("../../..", import.meta.url));
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => [name, readFileSync(join(root, folder, name), "utf8")] as const);

const sources = [...filesIn("src", /\.tsx?$/), ...filesIn("machines", /\.ts$/), ...filesIn("contract", /\.ts$/)]
  .map(([, text]) => text)
  .join("\n");
const texts = new Map<string, string[]>();
for (const [file, json] of filesIn("public/locales/en", /\.json$/)) collect(file.replace(".json", ""), [], JSON.parse(json));

function collect(namespace: string, path: readonly string[], value: unknown): void {
  if (typeof value === "string") texts.set(value, [...(texts.get(value) ?? []), [namespace, ...path].join(".")]);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) collect(namespace, [...path, key], inner);
}

test.each([
  // Sign-in and session
  "Cannot connect to server. Please ensure the backend is running or check your network connection.",
  "Login failed",
  "Login failed with status {{status}}",
  "Registration failed",
  "Logout failed",
  "Authentication check failed",
  // SPEC 8: "'Authentication failed'"
  "Authentication failed",
  "{{provider}} authentication failed",
  "Failed to fetch user profile after {{provider}} auth",
  // SPEC 8: "'Failed to fetch user profile'"
  "Failed to fetch user profile",
  "Failed to load user profile. Please try again.",
  "You are logged out.",
  "Your session has expired. Please sign in again.",
  // Subscription
  // SPEC 8: "'Failed to fetch subscription details'"
  "Failed to fetch subscription details",
  "Failed to fetch subscription",
  // SPEC 8: "'Failed to cancel subscription'"
  "Failed to cancel subscription",
  // SPEC 8: "'Failed to create checkout session'"
  "Failed to create checkout session",
  // SPEC 8: "'Failed to get billing portal URL'"
  "Failed to get billing portal URL",
  // SPEC 8: "'Could not retrieve checkout session URL from backend.'"
  "Could not retrieve checkout session URL from backend.",
  "This feature requires an active subscription",
  // Transcription
  "Failed to fetch transcriptions",
  "Failed to delete transcription",
  "Failed to update transcription",
  "Failed to save transcription",
  // Blog
  // SPEC 8: "'Failed to fetch blog posts'"
  "Failed to fetch blog posts",
  // SPEC 8: "'Blog post not found' (404)"
  "Blog post not found",
  // SPEC 8: "'Failed to like blog post'"
  "Failed to like blog post",
  // SPEC 8: "'Failed to dislike blog post'"
  "Failed to dislike blog post",
  // SPEC 8: "'Failed to remove reaction'"
  "Failed to remove reaction",
  "Unauthorized: Admin access required",
  "Network error - could not fetch status",
  // Admin
  "Access Denied: Administrator privileges required.",
  // Other (section 2)
  "Something went wrong",
  "The application encountered an error. Please try refreshing the page.",
  "Refresh Page",
])("the page shows the specification's error “%s”", (sentence) => {
  const keys = texts.get(sentence) ?? [];
  expect(keys.length, "nowhere among the English texts").toBeGreaterThan(0);
  // A key that is composed from a code ends with a dot in the sources: `errors.${code}`.
  const isUsed = (key: string) => {
    const inner = key.split(".").slice(1);
    const last = inner.at(-1) ?? "";
    const parent = inner.slice(0, -1).join(".");
    return sources.includes(`${inner.join(".")}"`) || (sources.includes(`${parent}.\${`) && sources.includes(last));
  };
  expect(keys.filter(isUsed), `${keys} is used nowhere`).not.toEqual([]);
});

test.each([
  "No auth token",
  "No access token received",
  "Invalid token response format - missing accessToken",
  "Token refresh failed: ${",
])("the code of the error catalogue contains “%s”", (words) => expect(sources).toContain(words));
