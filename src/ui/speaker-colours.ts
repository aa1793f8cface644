import styles from "./speaker-colours.module.css";

/** The number of colors. More speakers share them. */
const colours = 8;

/**
 * The class of each speaker, which sets `--speaker`. In the order in which they first speak, so that a color stays when
 * a name changes. Empty with fewer than two speakers.
 */
export function speakerColours(segments: readonly { speaker?: string | undefined }[]): ReadonlyMap<string, string> {
  const speakers = [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))];
  if (speakers.length < 2) return new Map();
  return new Map(speakers.map((speaker, index) => [speaker, styles[`colour${index % colours}`] ?? ""]));
}
