/** The header of the simplest WAV file in bytes: "RIFF", "fmt " and the head of "data". */
const headBytes = 44;

/**
 * A WAV file that was written as a stream has a length of 2 GB in its header: players then show a wrong duration or none.
 * Corrects the sizes. Other data is returned unchanged.
 */
export function finishedWav(wav: Buffer): Buffer {
  const isPlain = wav.length >= headBytes && wav.toString("latin1", 0, 4) === "RIFF" && wav.toString("latin1", 36, 40) === "data";
  if (!isPlain) return wav;
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - headBytes, 40);
  return wav;
}
