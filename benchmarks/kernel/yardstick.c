/* The limit that the compiled kernel is measured against.
 *
 * The same graph in the same layout (solver/turn/layout.py), written as one would write it in C:
 * vector registers as wide as the machine has, no checks, restrict, and a compiler that is free
 * to fuse products and sums. LANES payoffs go side by side (8; or 1, for comparison).
 *
 * It takes the best option of every decision, the first among equals, and counts blocks in which
 * another option came close. The second criterion among ties is left out: that is work which the
 * kernel does and this does not, so it makes the limit harder to reach, never easier.
 *
 * Build: gcc -O3 -march=native -shared -fPIC -DLANES=8
 */

#include <stdint.h>
#include <string.h>

#ifndef LANES
#define LANES 8
#endif

#if LANES == 1
#define WIDTH 1
#elif defined(__AVX512F__) && defined(__AVX512DQ__)
#define WIDTH 8
#include <immintrin.h>
#elif defined(__AVX2__)
#define WIDTH 4
#include <immintrin.h>
#else
#define WIDTH 2
#endif

#define PARTS (LANES / WIDTH)
#define ALL ((set_t)((1u << LANES) - 1))
#define EACH for (int i = 0; i < PARTS; i++)
#define INLINE static inline __attribute__((always_inline))

typedef uint16_t row_t; /* a row of lanes, or a count */
typedef uint8_t set_t;  /* a set of lanes */
#if WIDTH == 1
typedef double part;
#else
typedef double part __attribute__((vector_size(8 * WIDTH)));
#endif
typedef struct {
  part of[PARTS];
} lanes;

#if WIDTH == 1

INLINE part part_max(part a, part b) { return a > b ? a : b; }
INLINE part part_min(part a, part b) { return a < b ? a : b; }
INLINE unsigned part_above(part a, part b) { return a > b; }
INLINE part part_plus_where(unsigned s, part a, part b) { return a + (s & 1 ? b : 0.0); }

#elif WIDTH == 8

INLINE part part_max(part a, part b) { return (part)_mm512_max_pd((__m512d)a, (__m512d)b); }
INLINE part part_min(part a, part b) { return (part)_mm512_min_pd((__m512d)a, (__m512d)b); }
INLINE unsigned part_above(part a, part b) {
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
}
INLINE part part_plus_where(unsigned s, part a, part b) {
  return (part)_mm512_mask_add_pd((__m512d)a, (__mmask8)s, (__m512d)a, (__m512d)b);
}

#elif WIDTH == 4

INLINE part part_max(part a, part b) { return (part)_mm256_max_pd((__m256d)a, (__m256d)b); }
INLINE part part_min(part a, part b) { return (part)_mm256_min_pd((__m256d)a, (__m256d)b); }
INLINE unsigned part_above(part a, part b) {
  return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)a, (__m256d)b, _CMP_GT_OQ));
}
INLINE part part_plus_where(unsigned s, part a, part b) {
  __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
  __m256i in = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(s), bit), bit);
  return a + (part)_mm256_and_pd((__m256d)b, _mm256_castsi256_pd(in));
}

#else

INLINE part part_max(part a, part b) {
  for (int i = 0; i < WIDTH; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
  return a;
}
INLINE part part_min(part a, part b) {
  for (int i = 0; i < WIDTH; i++) a[i] = a[i] < b[i] ? a[i] : b[i];
  return a;
}
INLINE unsigned part_above(part a, part b) {
  unsigned s = 0;
  for (int i = 0; i < WIDTH; i++) s |= (unsigned)(a[i] > b[i]) << i;
  return s;
}
INLINE part part_plus_where(unsigned s, part a, part b) {
  for (int i = 0; i < WIDTH; i++) a[i] += s >> i & 1 ? b[i] : 0.0;
  return a;
}

#endif

INLINE lanes everywhere(double x) {
  lanes r;
  memset(&r, 0, sizeof r);
  EACH r.of[i] += x;
  return r;
}
INLINE lanes larger(lanes a, lanes b) {
  EACH a.of[i] = part_max(a.of[i], b.of[i]);
  return a;
}
INLINE lanes smaller(lanes a, lanes b) {
  EACH a.of[i] = part_min(a.of[i], b.of[i]);
  return a;
}
INLINE lanes plus(lanes a, lanes b) {
  EACH a.of[i] += b.of[i];
  return a;
}
INLINE lanes minus(lanes a, lanes b) {
  EACH a.of[i] -= b.of[i];
  return a;
}
INLINE lanes times(lanes a, double p) {
  EACH a.of[i] *= p;
  return a;
}
INLINE lanes fused(lanes a, lanes b, double p) {
  EACH a.of[i] += b.of[i] * p;
  return a;
}
INLINE set_t above(lanes a, lanes b) {
  unsigned s = 0;
  EACH s |= part_above(a.of[i], b.of[i]) << (WIDTH * i);
  return (set_t)s;
}
INLINE lanes plus_where(set_t s, lanes a, lanes b) {
  EACH a.of[i] = part_plus_where(s >> (WIDTH * i), a.of[i], b.of[i]);
  return a;
}

enum { ROW, TWOS, THREES, MORES, OPTIONS, CHOICES, PARENTS, SHARES, LEAD, FOURS, CHANCES,
       CHANCE_SLOT, COLUMNS };

typedef struct {
  const int64_t *blocks;
  const row_t *index;
  const double *probability;
  int64_t nblocks, outcomes, chances, slots, root;
} graph;

/* Values and choices of every node; returns in how many blocks a second option was close. */
static int64_t backward(const graph *g, lanes *restrict value, set_t *restrict choice,
                        double screen) {
  int64_t close = 0;
  memset(value + g->outcomes, 0, sizeof(lanes) * g->chances);
  for (int64_t at = 0; at < g->nblocks; at++) {
    const int64_t *restrict block = g->blocks + at * COLUMNS;
    const row_t *restrict p = g->index + block[OPTIONS];
    const double *restrict q = g->probability + block[SHARES];
    set_t *restrict m = choice + block[CHOICES];
    lanes *out = value + block[ROW];
    const lanes *scratch = out;
    const int64_t n = block[TWOS] + block[THREES] + block[MORES];
    lanes gap = everywhere(1e300);
    for (int64_t i = 0; i < block[TWOS]; i++, p += 2, m++) {
      lanes x = value[p[0]], y = value[p[1]], best = larger(x, y);
      gap = smaller(gap, minus(best, smaller(x, y)));
      *m = above(y, x);
      *out++ = best;
    }
    for (int64_t i = 0; i < block[THREES]; i++, p += 3, m += 2) {
      lanes x = value[p[0]], y = value[p[1]], z = value[p[2]], best = larger(x, y);
      lanes second = larger(smaller(x, y), smaller(best, z));
      m[0] = above(y, x);
      m[1] = above(z, best);
      best = larger(best, z);
      gap = smaller(gap, minus(best, second));
      *out++ = best;
    }
    for (int64_t i = 0; i < block[MORES]; i++) {
      int k = *p++;
      lanes best = value[*p++], second = everywhere(-1e300);
      for (int j = 1; j < k; j++) {
        lanes z = value[*p++];
        *m++ = above(z, best);
        second = larger(second, smaller(best, z));
        best = larger(best, z);
      }
      gap = smaller(gap, minus(best, second));
      *out++ = best;
    }
    close += above(gap, everywhere(screen)) != ALL;

    p = g->index + block[PARENTS];
    int64_t fours = block[FOURS];
    if (block[LEAD] == 1) {
      lanes a = value[p[0]], b = everywhere(0), c = b, d = b;
      int64_t i = 0;
      for (; i + 4 <= n; i += 4, q += 4) {
        a = fused(a, scratch[i], q[0]);
        b = fused(b, scratch[i + 1], q[1]);
        c = fused(c, scratch[i + 2], q[2]);
        d = fused(d, scratch[i + 3], q[3]);
      }
      for (; i < n; i++, q++) a = fused(a, scratch[i], q[0]);
      value[p[0]] = plus(plus(a, b), plus(c, d));
      p += 1;
    } else if (block[LEAD] == 2) {
      lanes a = value[p[0]], b = value[p[1]], c = everywhere(0), d = c;
      int64_t i = 0;
      for (; i + 2 <= n; i += 2, q += 4) {
        a = fused(a, scratch[i], q[0]);
        b = fused(b, scratch[i], q[1]);
        c = fused(c, scratch[i + 1], q[2]);
        d = fused(d, scratch[i + 1], q[3]);
      }
      if (i < n) {
        a = fused(a, scratch[i], q[0]);
        b = fused(b, scratch[i], q[1]);
        q += 2;
      }
      value[p[0]] = plus(a, c);
      value[p[1]] = plus(b, d);
      p += 2;
    } else if (block[LEAD] == 3) {
      lanes a = value[p[0]], b = value[p[1]], c = value[p[2]];
      for (int64_t i = 0; i < n; i++, q += 3) {
        a = fused(a, scratch[i], q[0]);
        b = fused(b, scratch[i], q[1]);
        c = fused(c, scratch[i], q[2]);
      }
      value[p[0]] = a;
      value[p[1]] = b;
      value[p[2]] = c;
      p += 3;
    } else if (block[LEAD] == 4) {
      fours++;
    }
    for (; fours > 0; fours--, p += 4) {
      lanes a = value[p[0]], b = value[p[1]], c = value[p[2]], d = value[p[3]];
      for (int64_t i = 0; i < n; i++, q += 4) {
        a = fused(a, scratch[i], q[0]);
        b = fused(b, scratch[i], q[1]);
        c = fused(c, scratch[i], q[2]);
        d = fused(d, scratch[i], q[3]);
      }
      value[p[0]] = a;
      value[p[1]] = b;
      value[p[2]] = c;
      value[p[3]] = d;
    }

    lanes *chance = value + block[CHANCE_SLOT];
    for (int64_t i = 0; i < block[CHANCES]; i++, chance++) {
      lanes a = *chance, b = everywhere(0), c = b, d = b;
      for (int64_t j = *p++; j > 0; j--, p += 4, q += 4) {
        a = fused(a, value[p[0]], q[0]);
        b = fused(b, value[p[1]], q[1]);
        c = fused(c, value[p[2]], q[2]);
        d = fused(d, value[p[3]], q[3]);
      }
      *chance = plus(plus(a, b), plus(c, d));
    }
  }
  return close;
}

/* The chance to reach every node from the root under the choices. */
static void forward(const graph *g, lanes *restrict reach, const set_t *restrict choice) {
  memset(reach, 0, sizeof(lanes) * g->slots);
  reach[g->root] = everywhere(1.0);
  for (int64_t at = g->nblocks - 1; at >= 0; at--) {
    const int64_t *restrict block = g->blocks + at * COLUMNS;
    const row_t *restrict p = g->index + block[PARENTS];
    const double *restrict q = g->probability + block[SHARES];
    const set_t *restrict m = choice + block[CHOICES];
    lanes *scratch = reach + block[ROW];
    const int64_t n = block[TWOS] + block[THREES] + block[MORES];
    if (block[LEAD] == 1) {
      lanes a = reach[p[0]];
      for (int64_t i = 0; i < n; i++, q++) scratch[i] = times(a, q[0]);
    } else if (block[LEAD] == 2) {
      lanes a = reach[p[0]], b = reach[p[1]];
      for (int64_t i = 0; i < n; i++, q += 2) scratch[i] = fused(times(a, q[0]), b, q[1]);
    } else if (block[LEAD] == 3) {
      lanes a = reach[p[0]], b = reach[p[1]], c = reach[p[2]];
      for (int64_t i = 0; i < n; i++, q += 3)
        scratch[i] = fused(fused(times(a, q[0]), b, q[1]), c, q[2]);
    } else if (block[LEAD] == 4) {
      lanes a = reach[p[0]], b = reach[p[1]], c = reach[p[2]], d = reach[p[3]];
      for (int64_t i = 0; i < n; i++, q += 4)
        scratch[i] = plus(fused(times(a, q[0]), b, q[1]), fused(times(c, q[2]), d, q[3]));
    }
    p += block[LEAD];
    for (int64_t f = 0; f < block[FOURS]; f++, p += 4) {
      lanes a = reach[p[0]], b = reach[p[1]], c = reach[p[2]], d = reach[p[3]];
      for (int64_t i = 0; i < n; i++, q += 4) {
        lanes ab = fused(times(a, q[0]), b, q[1]), cd = fused(times(c, q[2]), d, q[3]);
        scratch[i] = plus(scratch[i], plus(ab, cd));
      }
    }
    for (int64_t i = 0; i < block[CHANCES]; i++) {
      lanes x = reach[block[CHANCE_SLOT] + i];
      for (int64_t j = *p++; j > 0; j--, p += 4, q += 4) {
        reach[p[0]] = fused(reach[p[0]], x, q[0]);
        reach[p[1]] = fused(reach[p[1]], x, q[1]);
        reach[p[2]] = fused(reach[p[2]], x, q[2]);
        reach[p[3]] = fused(reach[p[3]], x, q[3]);
      }
    }

    p = g->index + block[OPTIONS];
    for (int64_t i = 0; i < block[TWOS]; i++, p += 2, m++) {
      lanes x = *scratch++, a = reach[p[0]], b = reach[p[1]];
      reach[p[0]] = plus_where((set_t)~*m, a, x);
      reach[p[1]] = plus_where(*m, b, x);
    }
    for (int64_t i = 0; i < block[THREES]; i++, p += 3, m += 2) {
      lanes x = *scratch++, a = reach[p[0]], b = reach[p[1]], c = reach[p[2]];
      set_t third = m[1], second = m[0] & (set_t)~third;
      reach[p[0]] = plus_where((set_t)~(second | third), a, x);
      reach[p[1]] = plus_where(second, b, x);
      reach[p[2]] = plus_where(third, c, x);
    }
    for (int64_t i = 0; i < block[MORES]; i++) {
      int k = *p++;
      lanes x = *scratch++;
      set_t left = ALL;
      for (int j = k - 1; j > 0; j--) {
        set_t taken = left & m[j - 1];
        reach[p[j]] = plus_where(taken, reach[p[j]], x);
        left &= (set_t)~taken;
      }
      reach[p[0]] = plus_where(left, reach[p[0]], x);
      p += k;
      m += k - 1;
    }
  }
}

/* Solve a batch of payoffs, a multiple of LANES: values, and unless `distribution` is null the
 * outcomes. `rows` has room for two passes of `nrows` rows. The last group's choices stay in
 * `choice`. Returns in how many blocks a second option was close. */
int64_t solve(const graph *g, const double *payoffs, int64_t batch, double screen, double *value,
              double *distribution, lanes *rows, int64_t nrows, set_t *choice) {
  int64_t close = 0;
  double *at = (double *)rows;
  lanes *reach = rows + nrows;
  for (int64_t group = 0; group < batch; group += LANES) {
    for (int64_t l = 0; l < LANES; l++)
      for (int64_t x = 0; x < g->outcomes; x++)
        at[x * LANES + l] = payoffs[(group + l) * g->outcomes + x];
    close += backward(g, rows, choice, screen);
    for (int64_t l = 0; l < LANES; l++) value[group + l] = at[g->root * LANES + l];
    if (!distribution) continue;
    forward(g, reach, choice);
    for (int64_t l = 0; l < LANES; l++)
      for (int64_t x = 0; x < g->outcomes; x++)
        distribution[(group + l) * g->outcomes + x] = ((double *)reach)[x * LANES + l];
  }
  return close;
}
