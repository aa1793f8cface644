import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { Email } from "./account.ts";
import { ShareRole } from "./transcription.ts";

/** People with whom one transcription is shared, those who have not answered counted. */
export const maxPeople = 50;
/** So long an offer to share waits for its address (days). */
export const offerDays = 14;

/** POST /api/v1/audio-transcriptions/transcription/{id}/people: offers it to an address. */
export const NewPerson = v.object({ email: Email, role: ShareRole });
export type NewPerson = v.InferInput<typeof NewPerson>;
/** PATCH of …/people/{share} */
export const PersonChange = v.object({ role: ShareRole });
export type PersonChange = v.InferInput<typeof PersonChange>;

/** Somebody with whom a transcription is shared, as its owner sees them. Times are ISO 8601, UTC. */
export const SharedPerson = v.object({
  id: v.string(),
  /** To which it was offered: whether there is an account with it is not said before it is accepted. */
  email: v.string(),
  role: ShareRole,
  accepted: v.boolean(),
  createdAt: v.string(),
  /** When an offer that nobody accepts ends; null once it is accepted. */
  expiresAt: v.nullable(v.string()),
});
export type SharedPerson = v.InferOutput<typeof SharedPerson>;

/** GET of …/people: in the order in which it was offered. */
export const PeopleAnswer = v.object({ people: v.array(SharedPerson) });
export type PeopleAnswer = v.InferOutput<typeof PeopleAnswer>;
/** As the page accepts them. */
export const AcceptedPeople = v.object({ people: acceptedRows(SharedPerson) });

/** A transcription of somebody else's that one may read, or is offered. */
export const ReceivedShare = v.object({
  id: v.string(),
  /** Opens it once it is accepted. */
  transcription: v.string(),
  title: v.string(),
  /** Of the recording: ISO 8601, UTC. */
  date: v.string(),
  durationSeconds: v.nullable(v.number()),
  by: v.string(),
  role: ShareRole,
  accepted: v.boolean(),
  /** When an offer ends: ISO 8601, UTC; null once it is accepted. */
  expiresAt: v.nullable(v.string()),
});
export type ReceivedShare = v.InferOutput<typeof ReceivedShare>;

/** GET /api/v1/audio-transcriptions/shared-with-me: offers first, then what was offered last. POST …/{share} accepts, DELETE declines, or leaves. */
export const SharedWithMeAnswer = v.object({ shares: v.array(ReceivedShare) });
export type SharedWithMeAnswer = v.InferOutput<typeof SharedWithMeAnswer>;
/** As the page accepts them. */
export const AcceptedSharedWithMe = v.object({ shares: acceptedRows(ReceivedShare) });
