import { describe, expect, test } from "vitest";
import type { Registration } from "#contract/index.ts";
import { selectFieldErrors, selectIsDone, selectMessage } from "#machines/submission.ts";
import { createCall, createPlainSend } from "#src/api/http.ts";
import { createAuthApi } from "#src/api/session.ts";
import { type AccountForm, createSignInForm, createSignUpForm } from "#src/features/account/forms.ts";
import { settled } from "#tests/machines/session/harness.ts";

const good = { email: " Ada@Example.org ", password: "correct horse" };

/** The sign-in and sign-up forms against a server that gives this answer. */
function forms(answer: Response | Error) {
  const bodies: unknown[] = [];
  const begun: unknown[] = [];
  const asked = { codes: 0 };
  const ask = async (_url: string | URL | Request, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)));
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const auth = createAuthApi(createCall(createPlainSend("", ask)));
  const environment = {
    signIn: auth.login,
    signUp: auth.register,
    begin: (session: unknown) => void begun.push(session),
    askForCode: () => {
      asked.codes += 1;
    },
  };
  return { bodies, begun, asked, signIn: createSignInForm(environment), signUp: createSignUpForm(environment) };
}

async function submit(form: AccountForm, values: Partial<Registration>) {
  form.send({ type: "submit.requested", values });
  await settled();
  await settled();
  return form.getSnapshot();
}

describe("sign-in form", () => {
  // SPEC 7 Auth: "POST /auth/login"
  test("sends the checked credentials and begins the session", async () => {
    const { signIn, bodies, begun } = forms(Response.json({ accessToken: "t" }));
    expect(selectIsDone(await submit(signIn, good))).toBe(true);
    expect(bodies).toEqual([{ email: "ada@example.org", password: "correct horse" }]);
    expect(begun).toEqual([{ accessToken: "t", user: undefined }]);
  });

  // SPEC 5: "without accessToken is rejected with 'No access token received'"
  // SPEC 8: "Other login failures show the server message"
  test.each([
    [new TypeError("Failed to fetch"), { key: "errors.network" }],
    [Response.json({ message: "No.", code: "badCredentials" }, { status: 401 }), { key: "errors.badCredentials" }],
    [Response.json({ message: "Slow down.", code: "tooManyRequests" }, { status: 429 }), { key: "errors.tooManyRequests" }],
    [
      Response.json({ message: "Slow down.", code: "tooManyRequests" }, { status: 429, headers: { "Retry-After": "900" } }),
      { key: "errors.tooManyRequestsUntil", values: { time: "in 15 minutes" } },
    ],
    [Response.json({ message: "Closed on Sundays." }, { status: 403 }), { text: "Closed on Sundays." }],
    [Response.json({ message: "Closed on Sundays.", code: "closed" }, { status: 403 }), { text: "Closed on Sundays." }],
    [Response.json({ message: "connect ECONNREFUSED 127.0.0.1:5432" }, { status: 500 }), { key: "errors.network" }],
    [Response.json({ message: "NetworkError when asking" }, { status: 502 }), { key: "errors.network" }],
    [Response.json({ message: "upstream: Failed to fetch" }, { status: 500 }), { key: "errors.network" }],
    [new Response("<html>", { status: 502 }), { key: "account.loginFailedStatus", values: { status: "502" } }],
    [Response.json({}), { key: "account.noAccessToken" }],
    [Response.json({ accessToken: 7 }), { key: "account.noAccessToken" }],
  ])("shows a failed sign-in in the words of SPEC.md section 8 (%#)", async (answer, message) => {
    const { signIn, begun } = forms(answer);
    const snapshot = await submit(signIn, good);
    expect(selectMessage(snapshot)).toEqual(message);
    expect(selectIsDone(snapshot)).toBe(false);
    expect(begun).toEqual([]);
    expect(snapshot.context.values).toEqual(good);
  });

  test.each([
    [
      { email: "", password: "" },
      { email: "account.emailInvalid", password: "account.passwordRequired" },
    ],
    [{ email: "ada@", password: "x" }, { email: "account.emailInvalid" }],
    [{ email: "ada@example.org", password: "x".repeat(257) }, { password: "account.passwordLong" }],
  ])("the sign-in form reports wrong fields without a request (%#)", async (values, errors) => {
    const { signIn, bodies } = forms(new Error("unused"));
    expect(selectFieldErrors(await submit(signIn, values))).toEqual(errors);
    expect(bodies).toEqual([]);
  });
});

test("leads to the code page when an account with a second factor gave the right password", async () => {
  const { signIn, begun, asked } = forms(Response.json({ message: "A code.", code: "secondFactorRequired" }, { status: 403 }));
  const snapshot = await submit(signIn, good);
  expect([selectIsDone(snapshot), selectMessage(snapshot), begun, asked.codes]).toEqual([true, null, [], 1]);
});

describe("sign-up form", () => {
  // SPEC 4 Registration: "If the response carries an accessToken, the user is signed in"
  // SPEC 3: "Register response: accessToken, user, message, all optional."
  // SPEC 7 Auth: "POST /auth/register"
  test("the sign-up form signs in after an answer with a token", async () => {
    const { signUp, bodies, begun } = forms(Response.json({ accessToken: "t" }, { status: 201 }));
    const snapshot = await submit(signUp, { ...good, name: " Ada " });
    expect(selectIsDone(snapshot)).toBe(true);
    expect(selectMessage(snapshot)).toBeNull();
    expect(bodies).toEqual([{ email: "ada@example.org", password: "correct horse", name: "Ada" }]);
    expect(begun).toHaveLength(1);
  });

  // SPEC 3: "Register response: accessToken, user, message, all optional."
  test("asks to check the e-mail after an answer without a token", async () => {
    const { signUp, begun } = forms(Response.json({ message: "Sent." }, { status: 201 }));
    const snapshot = await submit(signUp, good);
    expect(selectIsDone(snapshot)).toBe(true);
    expect(selectMessage(snapshot)).toEqual({ key: "account.checkEmail" });
    expect(begun).toEqual([]);
  });

  test.each([
    [Response.json({ message: "No.", code: "emailTaken" }, { status: 409 }), { key: "errors.emailTaken" }],
    // SPEC 8: "'Registration failed'"
    [new Response("", { status: 500 }), { key: "toast.registrationFailed" }],
  ])("the sign-up form shows why the registration failed (%#)", async (answer, message) => {
    const { signUp } = forms(answer);
    expect(selectMessage(await submit(signUp, good))).toMatchObject(message);
  });

  test.each([
    [
      { email: "x", password: "" },
      { email: "account.emailInvalid", password: "account.passwordRequired" },
    ],
    [{ ...good, password: "1234567" }, { password: "account.passwordShort" }],
    [{ ...good, password: " \u3000\u00a0      " }, { password: "account.passwordBlank" }],
    [{ ...good, password: "ADA@example.org" }, { password: "errors.passwordPersonal" }],
    [{ ...good, password: "x".repeat(257) }, { password: "account.passwordLong" }],
    [{ ...good, name: "x".repeat(101) }, { name: "account.nameLong" }],
  ])("the sign-up form reports wrong fields without a request (%#)", async (values, errors) => {
    const { signUp } = forms(new Error("unused"));
    expect(selectFieldErrors(await submit(signUp, values))).toEqual(errors);
  });
});
