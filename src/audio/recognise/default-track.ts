import { type Input, type InputAudioTrack, prefer } from "mediabunny";

/**
 * The file's default track, or its first one. mediabunny would prefer the one with the highest bit rate.
 * @throws Error when this browser can decode none
 */
export async function defaultTrackOf(input: Input): Promise<InputAudioTrack> {
  const tracks = await input.getAudioTracks({ sortBy: async (track) => prefer((await track.getDisposition()).default) });
  for (const track of tracks) if (await track.canDecode()) return track;
  throw new Error("There is no sound that this browser can decode.");
}
