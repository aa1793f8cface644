import { createFileRoute } from "@tanstack/react-router";
import { SecondStep } from "#src/features/second-factor/second-step.tsx";
import { loadTexts } from "#src/i18n/index.ts";

const step = () => import("#src/features/second-factor/step-actor.ts");

/** The second step of signing in: asks for the code of an authenticator app. */
export const Route = createFileRoute("/_public/second-step")({
  staticData: { titleKey: "titles.secondStep" },
  loader: async () => {
    const [{ enterSecondStep }] = await Promise.all([step(), loadTexts("second-factor")]);
    return enterSecondStep();
  },
  onLeave: async () => (await step()).leaveSecondStep(),
  component: Step,
});

function Step() {
  return <SecondStep step={Route.useLoaderData()} />;
}
