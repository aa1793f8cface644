import { createFileRoute } from "@tanstack/react-router";
import { blogList } from "#src/features/blog/route.ts";

export const Route = createFileRoute("/_public/blog/")(blogList);
