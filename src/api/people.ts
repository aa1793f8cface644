import { undefined as nothing } from "valibot";
import {
  AcceptedPeople,
  AcceptedSharedWithMe,
  type NewPerson,
  type ReceivedShare,
  SharedPerson,
  type ShareRole,
} from "#contract/index.ts";
import type { Call } from "./http.ts";
import { transcriptionsPath as base, transcriptionPath } from "./paths.ts";

/** The calls about people with whom the user shares a transcript. Each throws ApiError. */
export function createPeopleApi(call: Call) {
  const peopleOf = (transcription: string) => `${transcriptionPath(transcription)}/people`;
  const one = (transcription: string, id: string) => `${peopleOf(transcription)}/${encodeURIComponent(id)}`;
  return {
    list: async (transcription: string, signal?: AbortSignal) =>
      (await call(peopleOf(transcription), { schema: AcceptedPeople, signal })).people,
    offer: (transcription: string, json: NewPerson, signal?: AbortSignal) =>
      call(peopleOf(transcription), { json, schema: SharedPerson, signal }),
    change: (transcription: string, id: string, role: ShareRole, signal?: AbortSignal) =>
      call(one(transcription, id), { method: "PATCH", json: { role }, schema: SharedPerson, signal }),
    withdraw: (transcription: string, id: string, signal?: AbortSignal) =>
      call(one(transcription, id), { method: "DELETE", schema: nothing(), signal }),
  };
}

/** The calls about transcripts that others share with the user. Each throws ApiError. */
export function createSharedWithMeApi(call: Call) {
  const one = (id: string) => `${base}/shared-with-me/${encodeURIComponent(id)}`;
  const answered = async (path: string, method: "GET" | "POST" | "DELETE", signal?: AbortSignal) =>
    (await call(path, { method, schema: AcceptedSharedWithMe, signal })).shares;
  return {
    list: (signal?: AbortSignal): Promise<readonly ReceivedShare[]> => answered(`${base}/shared-with-me`, "GET", signal),
    accept: (id: string, signal?: AbortSignal): Promise<readonly ReceivedShare[]> => answered(one(id), "POST", signal),
    /** Leaves a shared transcript, or declines an offer. */
    leave: (id: string, signal?: AbortSignal): Promise<readonly ReceivedShare[]> => answered(one(id), "DELETE", signal),
  };
}
