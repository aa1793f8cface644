/** Below it are the calls about transcripts. */
export const transcriptionsPath = "/api/v1/audio-transcriptions";

/** The calls about one transcript. */
export const transcriptionPath = (id: string): string => `${transcriptionsPath}/transcription/${encodeURIComponent(id)}`;
