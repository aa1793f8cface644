import { expect, test } from "vitest";
import { entryOf } from "#src/features/shell/sidebar-entry.ts";

test.each([
  ["/dashboard", "/dashboard"],
  ["/transcription/1", "/dashboard"],
  ["/file-processing/1", "/dashboard"],
  ["/trash", "/dashboard"],
  ["/shared-with-me", "/dashboard"],
  ["/file-upload-config", "/speech-to-text"],
  ["/url-transcription-config", "/speech-to-text"],
  ["/encrypted-audio/1", "/encrypted-audio"],
  ["/subscription", "/subscription"],
  ["/admin/models", "/admin"],
  ["/admin/blog/editor", "/admin/blog"],
  ["/blog/admin/analytics", "/admin/blog"],
])("highlights for the page %s the sidebar's entry %s", (path, entry) => {
  expect(entryOf(path)).toBe(entry);
});
