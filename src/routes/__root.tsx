import { createRootRoute } from "@tanstack/react-router";
import { ErrorScreen } from "#src/features/shell/error-screen.tsx";

export const Route = createRootRoute({ errorComponent: ErrorScreen });
