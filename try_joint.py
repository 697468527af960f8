import irviz, time, numpy as np, sys
c=irviz.open_collection("adhoc")
w=irviz.worlds(c); print(len(w), len(c.topics), c.systems[:3])
for ex in (0,500,1000):
    irviz.conclusion(c, f"`{c.systems[0]}` > `{c.systems[1]}`", w, exchanges=0)
    t=time.perf_counter(); r=irviz.conclusion(c, f"`{c.systems[0]}` > `{c.systems[1]}`", w, exchanges=ex); print(ex, time.perf_counter()-t)
    print(r.joint, r.holds*len(r), r.holds_significantly*len(r), np.median(r.standardised))
