/** Size of the simplest WAV header in bytes: "RIFF", "fmt " and the head of "data". */
const headBytes = 44;

/**
 * Corrects the sizes in a WAV header. A WAV file written as a stream claims a length of 2 GB: players show a wrong
 * duration or none. Other data is returned unchanged.
 */
export function finishedWav(wav: Buffer): Buffer {
  const isPlain = wav.length >= headBytes && wav.toString("latin1", 0, 4) === "RIFF" && wav.toString("latin1", 36, 40) === "data";
  if (!isPlain) return wav;
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - headBytes, 40);
  return wav;
}
