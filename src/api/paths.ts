/** The base path of the calls about transcripts. */
export const transcriptionsPath = "/api/v1/audio-transcriptions";

/** The path of the calls about one transcript. */
export const transcriptionPath = (id: string): string => `${transcriptionsPath}/transcription/${encodeURIComponent(id)}`;
