import { createFileRoute, Outlet } from "@tanstack/react-router";
import { TopBar } from "#src/features/shell/top-bar.tsx";

/** The visitors' pages: no guard (SPEC.md section 2, Route guard). */
export const Route = createFileRoute("/_public")({ codeSplitGroupings: [], component: PublicFrame });

function PublicFrame() {
  return (
    <>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
