import styles from "./speaker-colours.module.css";

/** More speakers than these share them. */
const colours = 8;

/**
 * The class of each speaker, which sets `--speaker`, in the order in which they first speak, so that a colour stays when a name changes;
 * empty where there are not several to be told apart.
 */
export function speakerColours(segments: readonly { speaker?: string | undefined }[]): ReadonlyMap<string, string> {
  const speakers = [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))];
  if (speakers.length < 2) return new Map();
  return new Map(speakers.map((speaker, index) => [speaker, styles[`colour${index % colours}`] ?? ""]));
}
