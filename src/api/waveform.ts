import { type Peaks, readPeaks } from "#contract/index.ts";
import { ApiError, type Send } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

/** The call for what is drawn of a recording. */
export function createWaveformApi(send: Send) {
  return {
    /** Null: the server is making it. @throws ApiError when there was no answer, one outside 200-299, or one that can't be read */
    peaks: async (id: string, signal?: AbortSignal): Promise<Peaks | null> => {
      const path = `${transcriptionPath(id)}/peaks`;
      const answer = await send(path, { signal });
      if (answer.status === 202) return null;
      const bytes = await answer.arrayBuffer().catch((cause: unknown) => {
        throw signal?.aborted ? signal.reason : new ApiError(0, "network", undefined, { cause });
      });
      const peaks = readPeaks(new Uint8Array(bytes));
      if (peaks === undefined) throw new ApiError(answer.status, "internal", `The answer to ${path} is not as promised.`);
      return peaks;
    },
  };
}
