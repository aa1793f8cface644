import { createFileRoute } from "@tanstack/react-router";
import { OfferPasskey } from "#src/features/passkeys/passkey-sign-in.tsx";
import { SecondStep } from "#src/features/second-factor/second-step.tsx";
import { loadTexts } from "#src/i18n/index.ts";

const step = () => import("#src/features/second-factor/step-actor.ts");
const passkeys = () => import("#src/features/passkeys/sign-in-actor.ts");

/** The second step of a sign-in: asks for a code of the authenticator app. */
export const Route = createFileRoute("/_public/second-step")({
  staticData: { titleKey: "titles.secondStep" },
  loader: async () => {
    const [{ enterSecondStep }, { enterPasskeySignIn }] = await Promise.all([step(), passkeys(), loadTexts("second-factor")]);
    return { step: enterSecondStep(), passkey: await enterPasskeySignIn(false) };
  },
  onLeave: async () => {
    const [{ leaveSecondStep }, { leavePasskeySignIn }] = await Promise.all([step(), passkeys()]);
    leaveSecondStep();
    await leavePasskeySignIn();
  },
  component: Step,
});

function Step() {
  const { step, passkey } = Route.useLoaderData();
  return <SecondStep step={step} instead={passkey === null ? null : <OfferPasskey passkey={passkey} instead />} />;
}
