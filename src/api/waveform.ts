import { type Peaks, readPeaks } from "#contract/index.ts";
import { ApiError, type Send } from "./http.ts";
import { transcriptionPath } from "./paths.ts";

/** The call for a recording's waveform. */
export function createWaveformApi(send: Send) {
  return {
    /**
     * Null: the server is still computing the peaks.
     * @throws ApiError without an answer, for a status outside 200-299, or for an answer that can't be read
     */
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
