import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { type JSX, StrictMode } from "react";

/** The whole page, the same in the browser and in the renderer. */
export function pageTree(router: AnyRouter): JSX.Element {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
}
