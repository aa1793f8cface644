/** Bytes before the samples in the simplest WAV file: "RIFF", "fmt " and the head of "data". */
const headBytes = 44;

/**
 * A WAV file that was written as a stream says that it is 2 GB long: players then show a wrong duration or none. With its real sizes it is
 * an ordinary file. What is no such file stays as it is.
 */
export function finishedWav(wav: Buffer): Buffer {
  const isPlain = wav.length >= headBytes && wav.toString("latin1", 0, 4) === "RIFF" && wav.toString("latin1", 36, 40) === "data";
  if (!isPlain) return wav;
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt32LE(wav.length - headBytes, 40);
  return wav;
}
