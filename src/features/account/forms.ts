import { InvalidTokenError } from "jwt-decode";
import { type GenericSchema, safeParse } from "valibot";
import { createActor, fromPromise } from "xstate";
import { Credentials, isPersonalPassword, passwordFlaw, Registration } from "#contract/index.ts";
import { fallbackLanguage } from "#contract/interface-languages.ts";
import { type Message, type SubmissionResult, submissionMachine, type Values } from "#machines/submission.ts";
import { ApiError } from "#src/api/http.ts";
import type { AuthApi, SignedIn } from "#src/api/session.ts";
import { NoTokenError } from "#src/api/session.ts";
import { inspected } from "#src/browser/inspection.ts";
import { inTime } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";

/** Dependencies of the two account forms. */
export interface AccountEnvironment {
  signIn: AuthApi["login"];
  signUp: AuthApi["register"];
  begin(answer: SignedIn): void;
  /** Navigates to the page that asks for the second-factor code. */
  askForCode(): void;
}

/** The message for a failure that has no message from the server. */
export interface Fallback {
  key: string;
  /** Used when the failure has a status. The text has a placeholder `status`. */
  keyWithStatus: string;
}

/** The fallback of most forms. */
export const unknownFailure: Fallback = { key: "account.mailFailed", keyWithStatus: "account.mailFailed" };
export const loginFailed: Fallback = { key: "toast.loginFailed", keyWithStatus: "account.loginFailedStatus" };
const registrationFailed: Fallback = { key: "toast.registrationFailed", keyWithStatus: "toast.registrationFailed" };

/** Creates and starts the sign-in form. The caller stops it. */
export function createSignInForm({ signIn, begin, askForCode }: AccountEnvironment) {
  const submit: Submit = async (values, signal) => {
    const credentials = safeParse(Credentials, values);
    if (!credentials.success) return refused(loginFailed.key);
    return orSecondStep(askForCode, async () => begin(await signIn(credentials.output, signal)));
  };
  return createForm({ email: "", password: "" }, checkCredentials, submit, loginFailed);
}

/**
 * Runs the sign-in. Also succeeds if the password is right and the account needs a code, which another page asks for.
 */
export async function orSecondStep(askForCode: () => void, signIn: () => Promise<void>): Promise<SubmissionResult> {
  try {
    await signIn();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "secondFactorRequired") throw error;
    askForCode();
  }
  return { kind: "done" };
}

/** Creates and starts the sign-up form. The caller stops it. */
export function createSignUpForm({ signUp, begin }: Omit<AccountEnvironment, "signIn" | "askForCode">) {
  const submit: Submit = async (values, signal) => {
    const registration = safeParse(Registration, values);
    if (!registration.success) return refused(registrationFailed.key);
    const answer = await signUp(registration.output, signal);
    if (answer === undefined) return done("account.checkEmail");
    begin(answer);
    return { kind: "done" };
  };
  return createForm({ name: "", email: "", password: "" }, checkRegistration, submit, registrationFailed);
}

export type AccountForm = ReturnType<typeof createSignInForm>;

type Submit = (values: Values, signal: AbortSignal) => Promise<SubmissionResult>;

/** @param key the message's key in the locale files */
export const done = (key: string, values?: Record<string, string>): SubmissionResult => ({
  kind: "done",
  message: { key, ...(values && { values }) },
});
/** @param key the reason's key in the locale files */
export const refused = (key: string): SubmissionResult => ({ kind: "refused", message: { key } });

/** Creates a form that validates and sends its fields. A failure shows the server's message, or else `fallback`. */
export function createForm(initial: Values, check: (values: Values) => Values, submit: Submit, fallback = unknownFailure) {
  const machine = submissionMachine.provide({
    actors: {
      submit: fromPromise(async ({ input, signal }): Promise<SubmissionResult> => {
        try {
          return await submit(input, signal);
        } catch (error) {
          return { kind: "refused", message: messageOf(error, fallback) };
        }
      }),
    },
  });
  return createActor(machine, { ...inspected(), input: { initial, check, unknown: { key: fallback.key } } }).start();
}

/** Creates a form that consists of one button. */
export const createButtonForm = (submit: (signal: AbortSignal) => Promise<SubmissionResult>, fallback = unknownFailure) =>
  createForm(
    {},
    () => ({}),
    (_, signal) => submit(signal),
    fallback,
  );

/** SPEC.md section 8: an error whose text contains one of these words counts as a connection error. */
const connectionWords = /Failed to fetch|NetworkError|ECONNREFUSED/;

/** SPEC.md section 8, "Sign-in and session". */
export function messageOf(error: unknown, fallback: Fallback): Message {
  if (error instanceof NoTokenError) return { key: "account.noAccessToken" };
  if (error instanceof InvalidTokenError) return { key: "account.authenticationFailed" };
  const isConnection = error instanceof Error && connectionWords.test(error.message);
  if (isConnection || (error instanceof ApiError && error.status === 0)) return { key: "errors.network" };
  if (!(error instanceof ApiError)) return { key: fallback.key };
  if (error.code === "tooManyRequests" && error.retryAfter !== undefined) {
    return { key: "errors.tooManyRequestsUntil", values: { time: inTime(error.retryAfter, i18n.language ?? fallbackLanguage) } };
  }
  if (error.said === "code" || error.code === "notOffered") return { key: `errors.${error.code}` };
  if (error.said === "message") return { text: error.message };
  return { key: fallback.keyWithStatus, values: { status: String(error.status) } };
}

function checkCredentials(values: Values): Values {
  const wrong = wrongFields(Credentials, values);
  return checkFields({
    email: wrong.has("email") ? "account.emailInvalid" : undefined,
    password: wrong.has("password") ? (values.password ? "account.passwordLong" : "account.passwordRequired") : undefined,
  });
}

function checkRegistration(values: Values): Values {
  const wrong = wrongFields(Registration, values);
  return checkFields({
    name: wrong.has("name") ? "account.nameLong" : undefined,
    email: wrong.has("email") ? "account.emailInvalid" : undefined,
    password: passwordError(values.password, values.email),
  });
}

const flaws = { short: "account.passwordShort", long: "account.passwordLong", blank: "account.passwordBlank" } as const;

/**
 * Validates a new password as far as the client can: only the server knows the list of common passwords.
 * @param email the account's email address
 * @returns the error's key, undefined when valid
 */
export function passwordError(password = "", email = ""): string | undefined {
  if (password === "") return "account.passwordRequired";
  const flaw = passwordFlaw(password);
  if (flaw !== undefined) return flaws[flaw];
  return isPersonalPassword(password, email) ? "errors.passwordPersonal" : undefined;
}

/** For forms that only ask for the account's password. */
export const checkPassword = ({ password = "" }: Values): Values =>
  checkFields({ password: password === "" ? "account.passwordRequired" : undefined });

function wrongFields(schema: GenericSchema, values: Values): Set<unknown> {
  const parsed = safeParse(schema, values);
  return new Set(parsed.issues?.map((issue) => issue.path?.[0]?.key));
}

/** Keeps only the fields that have an error. */
export function checkFields(errors: Record<string, string | undefined>): Values {
  return Object.fromEntries(Object.entries(errors).flatMap(([field, error]) => (error === undefined ? [] : [[field, error]])));
}
