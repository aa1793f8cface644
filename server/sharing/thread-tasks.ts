import type { SharedSegment } from "#contract/index.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";

/** Tasks that take long for long transcripts; they run in a thread (thread-tasks.ts). */
export const sharingTasks = {
  /**
   * Segments as JSON, with nothing that a link does not show: no original recognition, no confidence, and no
   * translation unless it is shared.
   */
  sharedSegments: ({ segments, translation }: { segments: string; translation: boolean }): string =>
    JSON.stringify(
      parseSegments(segments).map(({ heard: _, turn: _turn, others: _others, words, ...segment }): SharedSegment => {
        const spoken = words.map(({ text, start, end }) => ({ text, start, end }));
        if (translation) return { ...segment, words: spoken };
        const { translation: _translation, translationLanguage: _language, ...original } = segment;
        return { ...original, words: spoken };
      }),
    ),
};
