import type { Page } from "playwright";
import type { TranscriptionSummary } from "#contract/index.ts";
import { json } from "#tests/browser/harness-paths.ts";
import { row } from "#tests/machines/harness.ts";
import { language } from "#tests/paths/transcriptions/filters.ts";

const day = 24 * 3_600_000;

/** Each filter distinguishes these rows. Half a day ahead stays today or later even if the day ends during the test. */
function rowsAt(now: number): TranscriptionSummary[] {
  const at = (ms: number) => new Date(now + ms).toISOString();
  const failed = { status: "failed", error: { message: "no", code: "engineFailed" } } as const;
  return [
    row(6, { title: "tea at noon", sourceLanguage: language, date: at(day / 2) }),
    row(5, { title: "milk", sourceLanguage: language, status: "processing", date: at(-3 * day) }),
    row(4, { title: "green tea", sourceLanguage: "en-US", ...failed, date: at(-4 * day) }),
    row(3, { title: "teapot", sourceLanguage: "en-US", date: at(-20 * day) }),
    row(2, { title: "coffee", sourceLanguage: language, ...failed, date: at(-60 * day) }),
    row(1, { title: "old tea", sourceLanguage: language, status: "processing", date: at(-61 * day) }),
  ];
}

/** Answers requests for the history with these rows. */
export async function scriptHistory(page: Page): Promise<readonly TranscriptionSummary[]> {
  const rows = rowsAt(Date.now());
  const history = "**/api/v1/audio-transcriptions";
  const pagination = { page: 1, limit: 20, total: rows.length, totalPages: 1 };
  await page.route(`${history}/transcription-history?*`, json({ data: rows, pagination }));
  // Hovering over a link preloads its page.
  await page.route(`${history}/transcription/*`, json({ ...rows[0], segments: [], fileName: null, engine: null }));
  // Streams of updates never answer, so nothing changes meanwhile.
  await page.route(/\/audio-transcriptions\/(.+\/)?events$/, () => {});
  return rows;
}
