// Graphs: breadth-first search, Dijkstra with a heap, union-find, topological order, Floyd-Warshall, maximum flow.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };
struct edge { int to, weight; struct edge *next; };
static struct edge *graph[N];
static void connect(int a, int b, int w) {
    struct edge *e = malloc(sizeof *e);
    *e = (struct edge){b, w, graph[a]};
    graph[a] = e;
}
static void bfs(int start, int *distance) {
    int queue[N], head = 0, tail = 0;
    for (int i = 0; i < N; i++)
        distance[i] = -1;
    distance[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        int x = queue[head++];
        for (struct edge *e = graph[x]; e; e = e->next)
            if (distance[e->to] < 0) {
                distance[e->to] = distance[x] + 1;
                queue[tail++] = e->to;
            }
    }
}
struct item { int cost, at; };
static struct item heap[1000];
static int size;
static void push(struct item x) {
    int i = size++;
    for (; i && heap[(i - 1) / 2].cost > x.cost; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}
static struct item pop(void) {
    struct item top = heap[0], x = heap[--size];
    int i = 0;
    for (int c; (c = 2 * i + 1) < size; i = c) {
        c += c + 1 < size && heap[c + 1].cost < heap[c].cost;
        if (heap[c].cost >= x.cost)
            break;
        heap[i] = heap[c];
    }
    heap[i] = x;
    return top;
}
static void dijkstra(int start, int *cost) {
    for (int i = 0; i < N; i++)
        cost[i] = INT_MAX;
    cost[start] = 0;
    push((struct item){0, start});
    while (size) {
        struct item x = pop();
        if (x.cost > cost[x.at])
            continue;
        for (struct edge *e = graph[x.at]; e; e = e->next)
            if (x.cost + e->weight < cost[e->to]) {
                cost[e->to] = x.cost + e->weight;
                push((struct item){cost[e->to], e->to});
            }
    }
}
static int parent[N];
static int root(int x) { return parent[x] == x ? x : (parent[x] = root(parent[x])); }
static int order[N], placed, seen[N];
static void visit(int x) {
    seen[x] = 1;
    for (struct edge *e = graph[x]; e; e = e->next)
        if (e->to > x && !seen[e->to])
            visit(e->to);
    order[placed++] = x;
}
static int capacity[8][8], used[8];
static int augment(int x, int flow) {
    if (x == 7)
        return flow;
    used[x] = 1;
    for (int y = 0; y < 8; y++)
        if (!used[y] && capacity[x][y] > 0) {
            int pushed = augment(y, flow < capacity[x][y] ? flow : capacity[x][y]);
            if (pushed) {
                capacity[x][y] -= pushed;
                capacity[y][x] += pushed;
                return pushed;
            }
        }
    return 0;
}

int main(void) {
    unsigned r = 99;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) {
            r = r * 1103515245 + 12345;
            connect(i, (int)(r >> 16) % N, (int)(r >> 8 & 63) + 1);
        }
    int distance[N], cost[N], table[N][N];
    bfs(0, distance);
    dijkstra(0, cost);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            table[i][j] = i == j ? 0 : 1000000;
    for (int i = 0; i < N; i++) {
        parent[i] = i;
        for (struct edge *e = graph[i]; e; e = e->next)
            if (e->weight < table[i][e->to])
                table[i][e->to] = e->weight;
    }
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (table[i][k] + table[k][j] < table[i][j])
                    table[i][j] = table[i][k] + table[k][j];
    int same = 1, components = N;
    for (int i = 0; i < N; i++) {
        same &= i == 0 || table[0][i] == (cost[i] == INT_MAX ? 1000000 : cost[i]);
        printf("%d:%d ", distance[i], table[0][i]);
        for (struct edge *e = graph[i]; e; e = e->next)
            if (e->weight > 50 && root(i) != root(e->to)) {
                parent[root(i)] = root(e->to);
                components--;
            }
    }
    for (int i = 0; i < N; i++)
        if (!seen[i])
            visit(i);
    printf("\n%d %d\n", same, components);
    for (int i = N - 1; i >= 0; i--)
        printf("%d ", order[i]);
    static const int pipes[][3] = {{0, 1, 10}, {0, 2, 8}, {1, 3, 5}, {2, 3, 7}, {1, 4, 6}, {3, 5, 9}, {4, 6, 4}, {5, 7, 8}, {6, 7, 9}, {3, 6, 3}};
    for (unsigned i = 0; i < sizeof pipes / sizeof *pipes; i++)
        capacity[pipes[i][0]][pipes[i][1]] = pipes[i][2];
    int flow = 0, pushed;
    while ((pushed = augment(0, 1000))) {
        flow += pushed;
        memset(used, 0, sizeof used);
    }
    printf("\n%d\n", flow);
    return 0;
}
