//===- Collectives.cpp - Collectives on the CPU ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arena is host memory: counts, and hands over to HostCollectives.
//
//===----------------------------------------------------------------------===//

#include "common/Activity.h"
#include "common/ElementType.h"
#include "cpu/Context.h"

#include <cstring>

using namespace boost_rt;

extern "C" void boost_rt_all_reduce(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t reduction,
                                    int64_t tensors, void *buffers,
                                    void *counts, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  context->record.countTensors(site, tensors,
                               static_cast<const int64_t *>(counts),
                               static_cast<const int32_t *>(types));
  context->collectives.allReduce(static_cast<uint32_t>(group),
                                 static_cast<boost_rt_reduction>(reduction),
                                 tensors, static_cast<void *const *>(buffers),
                                 static_cast<const int64_t *>(counts),
                                 static_cast<const int32_t *>(types));
}

static PieceList listPieces(int64_t tensors, void *buffers, void *extents,
                            void *types) {
  return {tensors, static_cast<void *const *>(buffers),
          static_cast<const int64_t *>(extents),
          static_cast<const int32_t *>(types)};
}

extern "C" void boost_rt_all_gather(boost_rt_context *context, int32_t site,
                                    int32_t group, int64_t tensors,
                                    void *buffers, void *extents, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  PieceList pieces = listPieces(tensors, buffers, extents, types);
  context->record.countCollective(site, pieces.pieceBytes());
  context->collectives.allGather(static_cast<uint32_t>(group), pieces);
}

extern "C" void boost_rt_reduce_scatter(boost_rt_context *context, int32_t site,
                                        int32_t group, int32_t reduction,
                                        int64_t tensors, void *buffers,
                                        void *extents, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  auto mask = static_cast<uint32_t>(group);
  PieceList pieces = listPieces(tensors, buffers, extents, types);
  context->record.countCollective(site, context->mesh.groupSize(mask) *
                                            pieces.pieceBytes());
  context->collectives.reduceScatter(
      mask, static_cast<boost_rt_reduction>(reduction), pieces);
}

extern "C" void boost_rt_broadcast(boost_rt_context *context, int32_t site,
                                   int32_t group, int64_t root, int64_t tensors,
                                   void *buffers, void *counts, void *types) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  context->record.countTensors(site, tensors,
                               static_cast<const int64_t *>(counts),
                               static_cast<const int32_t *>(types));
  context->collectives.broadcast(static_cast<uint32_t>(group), root, tensors,
                                 static_cast<void *const *>(buffers),
                                 static_cast<const int64_t *>(counts),
                                 static_cast<const int32_t *>(types));
}

extern "C" void boost_rt_all_to_all(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t type, void *src,
                                    void *dst, int64_t rank, void *shape,
                                    int64_t split, int64_t concat) {
  TimedCall timed(context->record.timer);
  AtSite atSite(context->record.getMeeting(site));
  auto elementType = static_cast<ElementType>(type);
  const auto *extents = static_cast<const int64_t *>(shape);
  int64_t bytes = sizeOf(elementType);
  for (int64_t i = 0; i < rank; ++i)
    bytes *= extents[i];
  context->record.countCollective(site, bytes);
  context->collectives.allToAll(static_cast<uint32_t>(group), elementType, src,
                                dst, rank, extents, split, concat);
}

extern "C" void boost_rt_all_slice(boost_rt_context *context, int32_t group,
                                   int32_t type, void *src, void *dst,
                                   int64_t outer, int64_t inner) {
  TimedCall timed(context->record.timer);
  auto mask = static_cast<uint32_t>(group);
  int64_t row = inner * sizeOf(static_cast<ElementType>(type));
  int64_t size = context->mesh.groupSize(mask);
  int64_t position =
      context->mesh.groupPosition(context->communicator.rank(), mask);
  for (int64_t i = 0; i < outer; ++i)
    std::memcpy(static_cast<char *>(dst) + i * row,
                static_cast<char *>(src) + (i * size + position) * row,
                static_cast<size_t>(row));
}

extern "C" void boost_rt_process_index(boost_rt_context *context, int32_t group,
                                       void *out) {
  TimedCall timed(context->record.timer);
  *static_cast<int32_t *>(out) =
      static_cast<int32_t>(context->mesh.groupPosition(
          context->communicator.rank(), static_cast<uint32_t>(group)));
}
